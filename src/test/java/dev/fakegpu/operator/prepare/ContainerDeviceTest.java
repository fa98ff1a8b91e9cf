package dev.fakegpu.operator.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.operator.prepare.smi.SmiAnswers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContainerDeviceTest {

    static Stream<FakeGpuSpec> specs() {
        return Stream.of(
                        Specs.gpuModels()
                                .flatMap(model -> Stream.of("EqualSize", "MixedSize")
                                        .map(sizing -> Specs.everythingAtAll(model, 2, sizing))),
                        Stream.of(
                                        "{model: A100-SXM4-40GB, count: 1, partitions: {mig: {static: [{devices: {1g.5gb: 2, 3g.20gb: 1}}]}}}",
                                        "{model: LATEST-GPU-MODEL, count: 2}",
                                        "{model: LATEST-GPU-MODEL, count: 2, partitions: {equalParts: 4}}",
                                        "{custom: {devices: [{name: a}, {name: b, attributes: {uuid: {string: my-uuid}}}]}}",
                                        "{custom: {devices: [{name: a, attributes: {type: {string: vgpu}, uuid: {string: my-vgpu}}}]}}",
                                        "{custom: {mixins: {device: [{name: m, attributes: {uuid: {string: of-the-mixin}}}]}, devices: [{name: a, includes: [m]}, {name: b, includes: [m], attributes: {uuid: {string: of-b}}}]}}")
                                .map(Specs::spec))
                .flatMap(stream -> stream);
    }

    /** The data that a container has about a device identifies exactly one device in the slices. */
    @ParameterizedTest
    @MethodSource("specs")
    void theUuidIsTheSameEverywhere(FakeGpuSpec spec) {
        var devicesByUuid = new HashMap<String, String>();
        var shownTypes = new HashSet<String>();

        for (Device device : Specs.plan(spec).devices()) {
            var container = new ContainerDevice(new DeviceId(spec.driver(), "node-1/fake", device.name()), null);
            String uuid = container.uuid(device);
            var published = device.attributes().get("uuid");

            if (published != null) {
                assertThat(uuid).isEqualTo(published.toString());
            }
            assertThat(container.env(device, Map.of())).hasSize(1).containsValue(uuid);
            if (shownTypes.add(String.valueOf(device.attributes().get("type")))) {
                assertThat(smi(device, uuid)).contains("uuid " + uuid);
            }
            String gpu = device.name().replaceFirst("-(partition-\\d+|full)$", "");
            assertThat(devicesByUuid.merge(uuid, gpu, (one, other) -> one.equals(other) ? one : one + " and " + other))
                    .as("the devices with %s", uuid)
                    .isEqualTo(gpu);
        }
    }

    private static List<String> smi(Device device, String uuid) {
        var sheet = new HashMap<String, String>();
        sheet.put("device", device.name());
        sheet.put("uuid", uuid);
        device.attributes().forEach((name, value) -> sheet.put("attribute." + name, value.toString()));
        return SmiAnswers.text(sheet).lines().toList();
    }
}
