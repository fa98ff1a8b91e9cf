package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.operator.publish.condition.CompatibilityGroupsServedCondition;
import dev.fakegpu.operator.publish.pool.GroupPublishing.Placement;
import dev.fakegpu.operator.publish.server.SchedulerGate;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupPublishingTest {

    @ParameterizedTest
    @CsvSource({
        // Columns: allocator, FakeGpu, operator, API server, kube-scheduler, where
        "Companion, , Auto, Served, Off, IN_SLICES",
        "Companion, , Auto, Dropped, On, FIELD_DROPPED",
        "Companion, , Auto, Unknown, On, FIELD_UNKNOWN",
        "Companion, , Never, Served, On, WITHHELD",
        "Companion, Always, Never, Served, On, IN_SLICES",
        "Companion, Never, Always, Dropped, On, WITHHELD",
        "KubeScheduler, , Auto, Served, On, IN_SLICES",
        "KubeScheduler, , Auto, Served, Unknown, IN_SLICES",
        "KubeScheduler, , Auto, Served, Unaware, IN_SLICES",
        "KubeScheduler, , Auto, Served, Off, WITHHELD_FROM_SCHEDULER",
        "KubeScheduler, , Always, Served, Off, IN_SLICES",
        "KubeScheduler, Auto, Always, Served, Off, WITHHELD_FROM_SCHEDULER",
        "KubeScheduler, , Always, Dropped, On, FIELD_DROPPED",
        "KubeScheduler, , Auto, Dropped, Off, FIELD_DROPPED",
    })
    void groupsArePublishedWhereTheyAreEnforced(
            String allocator,
            String publish,
            Publish byDefault,
            String server,
            SchedulerGate gate,
            Placement placement) {
        var spec = "{model: L40S, allocator: %s%s}"
                .formatted(allocator, publish == null ? "" : ", compatibilityGroups: {publish: %s}".formatted(publish));
        var served = served(server);

        var groups = GroupPublishing.of(
                Specs.spec(spec),
                new PublishOptions(byDefault, () -> true, ClaimNaming.OwnNamespace, Optional.empty()),
                served,
                gate);

        assertThat(groups.placement()).isEqualTo(placement);
        assertThat(groups.writable(served).serves(SliceField.COMPATIBILITY_GROUPS))
                .isEqualTo(placement == Placement.IN_SLICES);
        assertThat(CompatibilityGroupsServedCondition.message(groups).contains("annotation"))
                .isEqualTo(placement != Placement.IN_SLICES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Companion | On | true | the companion enforces them",
                "Companion | On | false | the companion does not enforce them, since its setting companion.gate is not On",
                "KubeScheduler | On | true | kube-scheduler enforces them",
                "KubeScheduler | Unknown | true | kube-scheduler enforces them if its feature gate DRADeviceCompatibilityGroups is on",
                "KubeScheduler | Off | true | kube-scheduler does not see them: incompatible devices can be allocated together, and then fail to be prepared",
                "KubeScheduler | Unaware | true | kube-scheduler is too old to know them: incompatible devices can be allocated together, and then fail to be prepared",
            })
    void messageNamesWhatEnforcesThem(
            String allocator, SchedulerGate gate, boolean companionEnforces, String enforcement) {
        var spec = Specs.spec("{model: L40S, allocator: %s}".formatted(allocator));

        var groups = GroupPublishing.of(
                spec,
                new PublishOptions(Publish.Auto, () -> companionEnforces, ClaimNaming.OwnNamespace, Optional.empty()),
                ServedFields.ALL,
                gate);

        assertThat(CompatibilityGroupsServedCondition.message(groups)).endsWith("; " + enforcement);
    }

    @Test
    void theGateIsReadFromMetrics() {
        var off = "kubernetes_feature_enabled{name=\"DRADeviceCompatibilityGroups\",stage=\"ALPHA\"} 0\n";
        var other = "kubernetes_feature_enabled{name=\"DRADeviceTaints\",stage=\"\"} 1\n";

        assertThat(SchedulerGate.fromMetrics(other + off)).isEqualTo(SchedulerGate.Off);
        assertThat(SchedulerGate.fromMetrics(other + off.replace("} 0", "} 1"))).isEqualTo(SchedulerGate.On);
        assertThat(SchedulerGate.fromMetrics(other)).isEqualTo(SchedulerGate.Unaware);
        assertThat(SchedulerGate.fromMetrics("go_goroutines 7\n")).isEqualTo(SchedulerGate.Unknown);
    }

    private static ServedFields served(String server) {
        var groups = Set.of(SliceField.COMPATIBILITY_GROUPS);
        return switch (server) {
            case "Dropped" -> new ServedFields(Set.of(), groups);
            case "Unknown" -> new ServedFields(groups, Set.of());
            default -> ServedFields.ALL;
        };
    }
}
