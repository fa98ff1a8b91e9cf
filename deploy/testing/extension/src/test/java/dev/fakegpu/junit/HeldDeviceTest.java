package dev.fakegpu.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldDeviceTest {

    private static final List<HeldDevice> TWO = HeldDevice.of(claim("""
            allocation:
              devices:
                results:
                - {request: gpu, driver: gpu.example.com, pool: node-0/gpus, device: gpu-0}
                - {request: gpu, driver: gpu.example.com, pool: node-1/gpus, device: gpu-0}
            devices:
            - driver: gpu.example.com
              pool: node-0/gpus
              device: gpu-0
              conditions: [{type: Ready, status: "True", reason: Prepared, message: gpu-0}]
            - driver: gpu.example.com
              pool: node-1/gpus
              device: gpu-0
              conditions: [{type: Ready, status: "False", reason: PrepareFailed, message: it is lost}]
            """));

    @Test
    void comparesNamesWithAndWithoutPools() {
        assertThat(HeldDevice.areNamed(TWO, List.of("gpu-0", "gpu-0"))).isTrue();
        assertThat(HeldDevice.areNamed(TWO, List.of("gpu-0", "node-0/gpus/gpu-0")))
                .isTrue();
        assertThat(HeldDevice.areNamed(TWO, List.of("gpu-0"))).isFalse();
        assertThat(HeldDevice.areNamed(TWO, List.of("gpu-0", "gpu-1"))).isFalse();
        assertThat(HeldDevice.areNamed(TWO, List.of("node-0/gpus/gpu-0", "node-0/gpus/gpu-0")))
                .isFalse();
    }

    @Test
    void saysWhatIsNotPrepared() {
        assertThat(TWO)
                .extracting(HeldDevice::toString)
                .containsExactly("node-0/gpus/gpu-0", "node-1/gpus/gpu-0 (PrepareFailed: it is lost)");
        assertThat(TWO).extracting(HeldDevice::isPrepared).containsExactly(true, false);
    }

    @Test
    void isNoneOfAClaimThatIsNotAllocated() {
        ResourceClaim claim = claim("{}");

        assertThat(HeldDevice.of(claim)).isEmpty();
        assertThat(HeldDevice.arePrepared(claim)).isFalse();
    }

    private static ResourceClaim claim(String status) {
        return new KubernetesSerialization()
                .unmarshal(
                        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nstatus:\n" + status.indent(2),
                        ResourceClaim.class);
    }
}
