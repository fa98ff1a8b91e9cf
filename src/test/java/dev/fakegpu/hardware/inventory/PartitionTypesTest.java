package dev.fakegpu.hardware.inventory;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.testing.DocsExamples;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests the condition for the partition summary of a pool in Kubernetes 1.37: all devices with the same value of the attribute have the
 * same {@code consumesCountersKey} ({@code pkg/controller/resourcepoolstatusrequest/views.go}).
 */
class PartitionTypesTest {

    @Test
    void devicesOfATypeInTheDocumentationConsumeTheSameCounters() throws IOException {
        // Given
        var example = new YAMLMapper()
                .readTree(DocsExamples.of("docs/fakegpu.md").get(0).text())
                .get("spec");

        // When
        var consumption = consumptionByType(Specs.spec(example.toString()));

        // Then
        assertThat(consumption).containsOnlyKeys("card", "half");
        assertThat(consumption.values()).allSatisfy(of -> assertThat(of).hasSize(1));
    }

    @Test
    void devicesOfATypeOfAModelDoNot() {
        // When
        var consumption = consumptionByType(Specs.spec("""
                {model: A100-SXM4-40GB, count: 2, partitionTypeAttribute: type, partitions: {mig: {profiles: [3g.20gb]}}}
                """));

        // Then
        assertThat(consumption.get("gpu")).as("a counter set for each GPU").hasSize(2);
        assertThat(consumption.get("mig"))
                .as("memory slices of two placements on each GPU")
                .hasSize(4);
    }

    private static Map<String, Set<Set<Map.Entry<String, Object>>>> consumptionByType(FakeGpuSpec spec) {
        assertThat(Specs.PLANNER.check(spec, "sample")).isEmpty();
        return Specs.PLANNER.plan(spec, "sample", "node-1").devices().stream()
                .collect(groupingBy(PartitionTypesTest::type, mapping(PartitionTypesTest::consumption, toSet())));
    }

    private static String type(Device device) {
        return ((AttributeValue.StringValue) device.attributes().get("type")).value();
    }

    private static Set<Map.Entry<String, Object>> consumption(Device device) {
        return device.consumesCounters().stream()
                .map(entry -> Map.<String, Object>entry(entry.counterSet(), entry.counters()))
                .collect(toSet());
    }
}
