package dev.fakegpu.kube.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.RawJson;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimList;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests claims with content that users may write, or that a newer API server might send. */
class ClientSerializationTest {

    /** 1,024 fields whose names have the same hash code, whatever the first value of the hash is: 33 * 'a' + 'b' is 33 * 'b' + 'A'. */
    private static final String SAME_HASH_CODES = IntStream.range(0, 1024)
            .mapToObj(number -> IntStream.range(0, 10)
                    .mapToObj(bit -> (number >> bit & 1) == 0 ? "ab" : "bA")
                    .collect(Collectors.joining("", "\"", "\":1")))
            .collect(Collectors.joining(","));

    private final KubernetesSerialization json = serialization();

    static Stream<Arguments> parametersThatTheApiServerAccepts() {
        return Stream.of(
                Arguments.of("a known kind of another shape", """
                        {"apiVersion":"v1","kind":"Pod","spec":"x"}"""),
                Arguments.of("a known kind with a field nobody knows", """
                        {"kind":"Pod","apiVersion":"v1","unknownField":1}"""),
                Arguments.of("a list of a known kind", """
                        {"apiVersion":"v1","kind":"List","items":[{"kind":"Pod","apiVersion":"v1","metadata":7}]}"""),
                Arguments.of("fields before kind", """
                        {"domainID":"q","iommu":{"z":1,"a":2},"kind":"VfioDeviceConfig","apiVersion":"resource.nvidia.com/v1beta1"}"""),
                Arguments.of("numbers with all their digits", """
                        {"a":1.50,"b":1e400,"c":123456789012345678901234567890,"d":-0.0}"""),
                Arguments.of("a number with 5,000 digits", "{\"a\":0." + "1".repeat(5000) + "}"),
                Arguments.of("names with the same hash code", "{" + SAME_HASH_CODES + "}"),
                Arguments.of("texts that Go escapes", """
                        {"b":"x < y & z > w"}"""),
                Arguments.of("a text", "\"x\""),
                Arguments.of("a number", "1"),
                Arguments.of("deep lists", "{\"a\":" + "[".repeat(4000) + "]".repeat(4000) + "}"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("parametersThatTheApiServerAccepts")
    void opaqueParametersStayUnchanged(String what, String parameters) {
        // When
        var claims = json.unmarshal(list(claim("a", parameters), claim("b", "{}")), ResourceClaimList.class);

        // Then
        assertThat(claims.getItems())
                .extracting(claim -> claim.getMetadata().getName())
                .containsExactly("a", "b");
        assertThat(parameters(claims.getItems().get(0))).isEqualTo(new RawJson(parameters));
        assertThat(json.asJson(claims.getItems().get(0))).contains("\"parameters\":" + parameters);
    }

    @Test
    void dataOfDeviceStatusesStaysUnchanged() {
        // Given
        String data = """
                {"z":1.0,"kind":"Pod","apiVersion":"v1","spec":"x"}""";

        // When
        var claim = json.unmarshal("""
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},
                 "status":{"devices":[{"driver":"d","pool":"p","device":"x","data":%s}]}}""".formatted(data), ResourceClaim.class);

        // Then
        assertThat(claim.getStatus().getDevices().get(0).getData()).isEqualTo(new RawJson(data));
        assertThat(json.asJson(claim)).contains("\"data\":" + data);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"devices\":\"x\"}", "{\"devices\":{\"requests\":{}}}", "7", "[1]"})
    void fieldOfAnotherTypeIsLeftOutOfItsObjectOnly(String spec) {
        // When
        var claims = json.unmarshal(list(withSpec("a", spec), claim("b", "{}")), ResourceClaimList.class);

        // Then
        assertThat(claims.getItems()).hasSize(2);
        assertThat(UnreadableFields.of(claims.getItems().get(0)))
                .get()
                .asString()
                .contains("spec");
        assertThat(UnreadableFields.of(claims.getItems().get(1))).isEmpty();
        assertThat(claims.getItems().get(1).getSpec()).isNotNull();
    }

    /** An environment variable's name may be that long. */
    @Test
    void aManagedFieldWithALongNameIsRead() {
        // When
        var pod = json.unmarshal("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","managedFields":[{"fieldsV1":{"k:%s":{}}}]}}""".formatted("x".repeat(60_000)), Pod.class);

        // Then
        assertThat(UnreadableFields.of(pod)).isEmpty();
    }

    /** For some of the seeds that parsers choose at random, these names would fill the parser's table. */
    @RepeatedTest(50)
    void manySimilarNamesAreRead() {
        // Given
        String labels = IntStream.range(0, 8_000)
                .mapToObj("\"example.com/%050d\":\"\""::formatted)
                .collect(Collectors.joining(","));
        String pod =
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"labels\":{" + labels + "}}}";

        // When
        Pod read = json.unmarshal(new ByteArrayInputStream(pod.getBytes(UTF_8)), Pod.class);

        // Then
        assertThat(read.getMetadata().getLabels()).hasSize(8_000);
    }

    @Test
    void malformedNumberIsOmitted() {
        // When
        var pods = json.unmarshal("""
                {"kind":"PodList","apiVersion":"v1","metadata":{},"items":[
                 {"metadata":{"name":"a"},"spec":{"priority":"high","nodeName":"n"}},
                 {"metadata":{"name":"b"},"spec":{"priority":7}}]}""", PodList.class);

        // Then
        assertThat(pods.getItems().get(0).getSpec().getNodeName()).isEqualTo("n");
        assertThat(UnreadableFields.of(pods.getItems().get(0))).get().asString().contains("priority");
        assertThat(pods.getItems().get(1).getSpec().getPriority()).isEqualTo(7);
    }

    @Test
    void itemOfAListIsLeftOutOfItsListOnly() {
        // When
        var pod = json.unmarshal("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},
                 "spec":{"containers":["x",{"name":"main"}],"nodeSelector":{"a":[1],"b":"c"}}}""", Pod.class);

        // Then
        assertThat(pod.getSpec().getContainers())
                .singleElement()
                .satisfies(container -> assertThat(container.getName()).isEqualTo("main"));
        assertThat(pod.getSpec().getNodeSelector()).containsExactly(Map.entry("b", "c"));
        assertThat(UnreadableFields.of(pod))
                .hasValueSatisfying(fields -> assertThat(fields)
                        .contains("field spec.containers[0] cannot be read: ")
                        .contains("; field spec.nodeSelector.a cannot be read: "));
    }

    /** A template often leaves {@code initContainers:} without a value, which the API server reads so, too. */
    @Test
    void listsAndMapsThatAreNullAreEmpty() {
        // When
        var pod = json.unmarshal("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},
                 "spec":{"containers":[{"name":"main"}],"initContainers":null,"nodeSelector":null},"status":{"conditions":null}}""", Pod.class);

        // Then
        assertThat(pod.getSpec().getInitContainers()).isEmpty();
        assertThat(pod.getSpec().getNodeSelector()).isEmpty();
        assertThat(pod.getStatus().getConditions()).isEmpty();
    }

    @Test
    void fakeGpuOfANewerDefinitionIsRead() {
        // When
        var fakeGpu = json.unmarshal("""
                {"kind":"FakeGpu","apiVersion":"fakegpu.dev/v1alpha1","metadata":{"name":"a"},
                 "spec":{"driver":"d.example.com","nodes":{"names":["n"],"future":1},"model":"L40S","future":{"a":1}},
                 "status":{"future":"x"}}""", FakeGpu.class);

        // Then
        assertThat(UnreadableFields.of(fakeGpu)).isEmpty();
        assertThat(fakeGpu.getSpec().driver()).isEqualTo("d.example.com");
    }

    /** Some exceptions of deserializers are not passed to a handler. */
    @Test
    void objectWithAValueThatADeserializerRejectsKeepsItsMetadata() {
        // Given
        var mapper = ClientSerialization.mapper();
        mapper.addMixIn(PodSpec.class, RejectingSpec.class);

        // When
        var pods = new KubernetesSerialization(mapper, true).unmarshal("""
                {"kind":"PodList","apiVersion":"v1","metadata":{},"items":[
                 {"metadata":{"name":"a","uid":"1"},"spec":{"containers":[{"name":"c"}],"hostname":"h","priority":1},"status":{"phase":"Pending"}},
                 {"metadata":{"name":"b"},"spec":{"priority":7}}]}""", PodList.class);

        // Then
        var unreadable = pods.getItems().get(0);
        assertThat(unreadable.getMetadata().getUid()).isEqualTo("1");
        assertThat(UnreadableFields.of(unreadable))
                .get()
                .asString()
                .contains("field spec")
                .contains("rejected");
        assertThat(unreadable.getSpec()).isNotNull();
        assertThat(pods.getItems().get(1).getSpec().getPriority()).isEqualTo(7);
    }

    private abstract static class RejectingSpec {
        @JsonDeserialize(using = Rejecting.class)
        abstract void setHostname(String hostname);
    }

    static final class Rejecting extends JsonDeserializer<String> {
        @Override
        public String deserialize(JsonParser parser, DeserializationContext context) {
            throw new IllegalStateException("rejected");
        }
    }

    private static Object parameters(ResourceClaim claim) {
        return claim.getSpec().getDevices().getConfig().get(0).getOpaque().getParameters();
    }

    private static String claim(String name, String parameters) {
        return withSpec(
                name, "{\"devices\":{\"config\":[{\"opaque\":{\"driver\":\"d\",\"parameters\":" + parameters + "}}]}}");
    }

    private static String withSpec(String name, String spec) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":" + spec + "}";
    }

    private static String list(String... items) {
        return "{\"kind\":\"ResourceClaimList\",\"apiVersion\":\"resource.k8s.io/v1\",\"metadata\":{},\"items\":["
                + String.join(",", items) + "]}";
    }

    private static KubernetesSerialization serialization() {
        return new KubernetesSerialization(ClientSerialization.mapper(), true);
    }
}
