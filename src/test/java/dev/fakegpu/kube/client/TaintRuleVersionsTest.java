package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.resource.v1alpha3.DeviceTaintRule;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaintRuleVersionsTest {

    private final KubernetesClient client =
            ClientSerialization.builder().withConfig(Config.empty()).build();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void aRuleWithOnlyCurrentFieldsIsReadable() {
        var rule = TaintRuleVersions.toV1(client, rule("{driver: gpu.example.com, device: gpu-0}"));

        assertThat(UnreadableFields.of(rule)).isEmpty();
        assertThat(rule.getSpec().getDeviceSelector().getDevice()).isEqualTo("gpu-0");
        assertThat(rule.getSpec().getTaint().getKey()).isEqualTo("example.com/broken");
    }

    @Test
    void aRuleThatSelectsByClassOrExpressionIsUnreadable() {
        var rule = TaintRuleVersions.toV1(client, rule("""
                {driver: gpu.example.com, selectors: [{cel: {expression: 'true'}}], deviceClassName: gpu.example.com}"""));

        assertThat(UnreadableFields.of(rule))
                .contains(
                        "field spec.deviceSelector.deviceClassName cannot be read: resource.k8s.io/v1 does not have it; "
                                + "field spec.deviceSelector.selectors cannot be read: resource.k8s.io/v1 does not have it");
    }

    private DeviceTaintRule rule(String selector) {
        return client.getKubernetesSerialization().unmarshal("""
                        apiVersion: resource.k8s.io/v1alpha3
                        kind: DeviceTaintRule
                        metadata: {name: rule}
                        spec:
                          deviceSelector: %s
                          taint: {key: example.com/broken, effect: NoSchedule}
                        """.formatted(selector), DeviceTaintRule.class);
    }
}
