package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests messages of kube-scheduler 1.34 to 1.37. */
class SchedulerWordsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0/1 nodes are available: 1 cannot allocate all claims. | 1 cannot allocate all claims
            0/2 nodes are available: 1 Insufficient cpu, 1 cannot allocate all claims. still not schedulable, preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod. | 1 Insufficient cpu, 1 cannot allocate all claims
            0/1 nodes are available: persistentvolumeclaim "data" not found. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling. | persistentvolumeclaim "data" not found
            0/1 nodes are available: 1 cannot allocate all claims. deallocation of ResourceClaim completed | 1 cannot allocate all claims
            0/1 nodes are available: 1 node(s) had untolerated taint {example.com/a.b: c, d}. preemption: not eligible due to preemptionPolicy=Never. | 1 node(s) had untolerated taint {example.com/a.b: c, d}
            running PreBind plugin "DynamicResources": conflict. Try again | running PreBind plugin "DynamicResources": conflict. Try again
            """)
    void reasonsEndBeforePreemption(String message, String reasons) {
        assertThat(SchedulerWords.of(message).reasons()).isEqualTo(reasons);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            n1 has the devices, but does not fit the pod (Insufficient cpu: 4 requested); nodes that fit it have none | Insufficient cpu: 4 requested
            no device for request gpu: gpu-0 has the taint a:NoSchedule; 1 of 2 nodes does not fit the pod: 1 Insufficient cpu (4 requested, 3 free) | 1 Insufficient cpu (4 requested, 3 free)
            no device for request gpu: gpu-0 is held by h; delete pod h; 38 of 40 nodes do not fit the pod: 38 Insufficient cpu, … | 38 Insufficient cpu, …
            no device for request gpu: gpu-0 is held by h; 2 of 3 nodes do not fit the pod: 2 Insufficient cpu; 1 pod is ahead | 2 Insufficient cpu
            """)
    void aMessageAboutDevicesIsNotAReasonOfAFilter(String message, String reasons) {
        assertThat(SchedulerWords.of(message).reasons()).isEqualTo(reasons);
    }

    @Test
    void devicesAreBlamedIfTheyAreMissedOnEachNodeThatFits() {
        var words = SchedulerWords.of("0/3 nodes are available: 1 Insufficient cpu, 2 cannot allocate all claims.");
        assertThat(words.blameDevicesOn(2)).isTrue();
        assertThat(words.blameDevicesOn(3)).isFalse();
        assertThat(words.blameDevicesOn(0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0/1 nodes are available: persistentvolumeclaim \"data\" not found.",
                "0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules.",
                "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints.",
                "0/1 nodes are available: 1 node(s) had volume node affinity conflict.",
                "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
                "0/1 nodes are available: 1 resourceclaim not available on the node.",
                "0/1 nodes are available: resourceclaim in use.",
                "timed out trying to allocate devices",
                ""
            })
    void messagesOfOtherPluginsDoNotBlameDevices(String message) {
        assertThat(SchedulerWords.of(message).blameDevicesOn(1)).isFalse();
    }
}
