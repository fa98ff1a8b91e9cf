package dev.fakegpu.engine.problemfile.referee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.fakegpu.engine.problemfile.ProblemGenerator;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeatureFieldsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "AdminAccess           | {claims: [{spec: {devices: {requests: [{exactly: {adminAccess: true}}]}}}]}",
                "CompatibilityGroups   | {slices: [{spec: {devices: [{x: [{compatibilityGroups: [a]}]}]}}]}",
                "ConsumableCapacity    | {slices: [{spec: {devices: [{allowMultipleAllocations: true}]}}]}",
                "ConsumableCapacity    | {claims: [{spec: {devices: {constraints: [{distinctAttribute: a/b}]}}}]}",
                "ConsumableCapacity    | {claims: [{x: {deviceClassName: c, capacity: {requests: {m: 1}}}}]}",
                "DeviceTaints          | {slices: [{spec: {devices: [{taints: [{key: a, effect: None}]}]}}]}",
                "ListTypeAttributes    | {slices: [{spec: {devices: [{attributes: {a: {ints: [1]}, b: {int: 1}}}]}}]}",
                "PartitionableDevices  | {slices: [{spec: {pool: {resourceSliceCount: 1}, sharedCounters: []}}]}",
                "PrioritizedList       | {claims: [{requests: [{name: r, firstAvailable: [{name: s, count: 1}]}]}]}",
            })
    void fieldsTellWhichFeaturesAreUsed(String feature, String problem) {
        ObjectNode json = read(problem);

        assertThat(FeatureFields.used(json)).containsExactly(feature);
        assertThat(FeatureFields.used(FeatureFields.without(json, List.of(feature))))
                .isEmpty();
    }

    @Test
    void fieldsThatNeedNoFeatureStay() {
        ObjectNode problem = read("{slices: [{spec: {devices: [{capacity: {memory: {value: 1Gi}}}]}}]}");

        assertThat(FeatureFields.without(problem, FeatureFields.all())).isEqualTo(problem);
    }

    @Test
    void poolsWithoutTheirCountersAreComplete() {
        ObjectNode problem = read("""
                {slices: [
                  {spec: {pool: {name: p, resourceSliceCount: 2}, sharedCounters: []}},
                  {spec: {pool: {name: p, resourceSliceCount: 2}, devices: []}}]}""");

        assertThat(FeatureFields.without(problem, Set.of("PartitionableDevices")))
                .isEqualTo(read("{slices: [{spec: {pool: {name: p, resourceSliceCount: 1}, devices: []}}]}"));
    }

    @Test
    void theFirstAlternativeReplacesTheList() {
        ObjectNode problem = read("""
                {claims: [{spec: {devices: {
                  requests: [{name: r, firstAvailable: [{name: s, count: 1}, {name: t, count: 2}]}],
                  constraints: [{requests: [r/s], matchAttribute: a/b}]}}}]}""");

        assertThat(FeatureFields.without(problem, Set.of("PrioritizedList"))).isEqualTo(read("""
                {claims: [{spec: {devices: {
                  requests: [{name: r, exactly: {count: 1}}],
                  constraints: [{requests: [r], matchAttribute: a/b}]}}}]}"""));
    }

    @Test
    void nothingIsLeftOfAllFeaturesInRandomProblems() {
        LongStream.range(0, 100)
                .mapToObj(ProblemGenerator::generate)
                .forEach(problem -> assertThat(FeatureFields.used(FeatureFields.without(problem, FeatureFields.all())))
                        .as(problem.path("name").asText())
                        .isEmpty());
    }

    private static ObjectNode read(String yaml) {
        try {
            return (ObjectNode) new ObjectMapper(new YAMLFactory()).readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
