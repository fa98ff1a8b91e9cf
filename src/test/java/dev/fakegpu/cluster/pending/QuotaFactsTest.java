package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuotaFactsTest {

    private static final String TEMPLATE = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {namespace: team, name: two}
            spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.vendor.com, allocationMode: ExactCount, count: 2}}]}}}
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {namespace: team, name: p, uid: Pod-p}
            spec: {containers: [], schedulerName: default-scheduler, resourceClaims: [{name: gpu, resourceClaimTemplateName: two}]}
            """;

    private static String quota(String namespace, int devices) {
        return """
                apiVersion: v1
                kind: ResourceQuota
                metadata: {namespace: %s, name: gpus}
                spec: {hard: {gpu.vendor.com.deviceclass.resource.k8s.io/devices: %d}}
                """.formatted(namespace, devices);
    }

    private static PendingCluster cluster() {
        return new PendingCluster().node("n1", "").holder("team", "h", "n1");
    }

    @Test
    void aQuotaThatForbidsTheClaimOfATemplateIsNamed() {
        Answer answer =
                cluster().with(TEMPLATE, POD, quota("team", 2)).explainer().pod("team", "p");

        assertThat(answer.sentence())
                .isEqualTo(
                        "ResourceClaimTemplate \"two\" exists, but a quota forbids its claim: exceeded quota: gpus, requested:"
                                + " gpu.vendor.com.deviceclass.resource.k8s.io/devices=2, used:"
                                + " gpu.vendor.com.deviceclass.resource.k8s.io/devices=1, limited:"
                                + " gpu.vendor.com.deviceclass.resource.k8s.io/devices=2");
    }

    @Test
    void sufficientAndUnrelatedQuotasAreNotNamed() {
        Answer answer = cluster()
                .with(TEMPLATE, POD, quota("team", 3), quota("other", 0))
                .explainer()
                .pod("team", "p");

        assertThat(answer.sentence())
                .startsWith("ResourceClaimTemplate \"two\" exists, but kube-controller-manager has not created");
    }

    @Test
    void nothingIsReportedIfUsageIsUnknown() {
        var objects = cluster()
                .with(TEMPLATE, POD, quota("team", 2))
                .objects()
                .withUnseen(List.of(
                        new Unseen(ObjectKind.PODS, "list", null, Unseen.Cause.FORBIDDEN),
                        new Unseen(ObjectKind.PODS, "list", "team", Unseen.Cause.FORBIDDEN)));

        Answer answer = new PendingExplainer(new ClusterSnapshot(objects), ExplainSettings.DEFAULT).pod("team", "p");

        assertThat(answer.sentence()).doesNotContain("quota");
    }

    @Test
    void aQuotaThatForbidsTheClaimForExtendedResourcesIsNamed() {
        Answer answer = new PendingCluster()
                .node("n1", "")
                .with("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu.vendor.com}
                spec: {selectors: [{cel: {expression: "device.driver == 'vendor.com'"}}], extendedResourceName: vendor.com/gpu}
                """, quota("team", 0), """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: p}
                spec:
                  schedulerName: default-scheduler
                  containers: [{name: main, resources: {requests: {vendor.com/gpu: "1"}, limits: {vendor.com/gpu: "1"}}}]
                """)
                .explainer()
                .pod("team", "p");

        assertThat(answer.facts())
                .anyMatch(fact ->
                        fact.startsWith("a quota forbids the claim for its extended resources: exceeded quota: gpus,"));
    }
}
