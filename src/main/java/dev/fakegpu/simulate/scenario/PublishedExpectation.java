package dev.fakegpu.simulate.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.simulate.Observation;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.scenario.ScenarioRun.Check;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Expects devices in the ResourceSlices of a FakeGpu.
 *
 * @param device a name, in which {@code *} matches any characters
 * @param pool the pool of the devices
 * @param fields a part of each device as in the slice, see {@link JsonPart}; empty for any content
 * @param number the number of devices; null for at least one
 */
record PublishedExpectation(
        String device,
        String fakeGpu,
        Place pool,
        JsonNode fields,
        @Nullable Integer number) implements Expectation {

    /**
     * The expected pool. In all fields, {@code *} matches any characters, and null matches anything.
     *
     * @param node the node of the slice
     */
    record Place(
            @Nullable String node,
            @Nullable String pool,
            @Nullable String driver) {

        private boolean includes(ResourceSliceSpec slice) {
            return isLike(node, slice.getNodeName())
                    && isLike(pool, slice.getPool().getName())
                    && isLike(driver, slice.getDriver());
        }

        private static boolean isLike(@Nullable String pattern, @Nullable String text) {
            return pattern == null || (text != null && JsonPart.isLike(pattern, text));
        }

        @Override
        public String toString() {
            return Stream.of(named("node", node), named("pool", pool), named("driver", driver))
                    .flatMap(List::stream)
                    .reduce("", (text, each) -> text + ", " + each);
        }

        private static List<String> named(String field, @Nullable String value) {
            return value == null ? List.of() : List.of("%s \"%s\"".formatted(field, value));
        }
    }

    @Override
    public Check check(Observation seen) {
        List<Device> named = seen.objects().stream()
                .filter(ResourceSlice.class::isInstance)
                .map(ResourceSlice.class::cast)
                .filter(slice ->
                        FakeGpuOwner.name(slice).filter(fakeGpu::equals).isPresent())
                .map(ResourceSlice::getSpec)
                .filter(pool::includes)
                .flatMap(slice -> slice.getDevices() == null ? Stream.of() : slice.getDevices().stream())
                .filter(each -> JsonPart.isLike(device, each.getName()))
                .toList();
        List<JsonNode> json = named.stream().map(ApiObjects::json).toList();
        long matching =
                json.stream().filter(each -> JsonPart.covers(each, fields)).count();
        boolean passed = number == null ? matching > 0 : matching == number;
        return new Check(passed, text(), actual(json, matching), "");
    }

    private String text() {
        return "%s devices %s of fakegpu/%s are published%s%s"
                .formatted(
                        number == null ? "some" : number,
                        device,
                        fakeGpu,
                        pool,
                        fields.isEmpty() ? "" : " with " + fields);
    }

    private String actual(List<JsonNode> named, long matching) {
        String example = fields.isEmpty()
                ? ""
                : named.stream()
                        .flatMap(each -> JsonPart.differences(fields, each).stream()
                                .map(difference -> each.path("name").asText() + ": " + difference))
                        .findFirst()
                        .map(difference -> "; " + difference)
                        .orElse("");
        return "%s are published%s".formatted(matching, example);
    }
}
