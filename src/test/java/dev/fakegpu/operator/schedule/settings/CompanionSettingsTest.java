package dev.fakegpu.operator.schedule.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.testing.ClusterYaml;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CompanionSettingsTest {

    private static final CompanionOptions INITIAL =
            new CompanionOptions(Feature.all(), GroupsGate.UNAWARE, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 8);

    private final MemoryCluster cluster = new MemoryCluster(new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
    private final CompanionSettings settings = new CompanionSettings(cluster.stores(), INITIAL);

    /** {@code fakegpu explain} reads settings in the same way: the effect of a ConfigMap does not depend on its earlier content. */
    @Test
    void entryWithAnUnknownValueIsIgnored() {
        assertThat(with("companion.gate: 'On', companion.groupPolicy: live"))
                .extracting(CompanionOptions::gate, CompanionOptions::groupPolicy)
                .containsExactly(GroupsGate.ON, GroupPolicy.LIVE);

        assertThat(with("companion.gate: Onn, companion.groupPolicy: live"))
                .extracting(CompanionOptions::gate, CompanionOptions::groupPolicy)
                .containsExactly(GroupsGate.UNAWARE, GroupPolicy.LIVE);
    }

    private CompanionOptions with(String data) {
        cluster.stores().settings().list().forEach(cluster::deleteImmediately);
        ClusterYaml.objects("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {namespace: fakegpu-system, name: fakegpu-operator}
                data: {%s}
                """.formatted(data)).forEach(cluster::create);
        return settings.now();
    }
}
