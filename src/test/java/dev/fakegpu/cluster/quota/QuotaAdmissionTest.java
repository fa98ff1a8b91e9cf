package dev.fakegpu.cluster.quota;

import static dev.fakegpu.testing.ClusterYaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.PodDefaults;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotaAdmissionTest {

    private static final Pod FIRST = pod("first", "{cpu: 500m, memory: 1Gi}", "{memory: 1Gi, example.com/gpu: 1}", "");
    private static final ResourceClaim HELD = claim("held", "exactly: {deviceClassName: gpu, count: 2}", "");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{pods: 1}                          | '' | exceeded quota: team, requested: pods=1, used: pods=1, limited: pods=1",
                "{pods: 2}                          | '' | ''",
                "{count/pods: 1}                    | '' | exceeded quota: team, requested: count/pods=1, used: count/pods=1, limited: count/pods=1",
                "{requests.cpu: 1200m}              | '' | exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=500m, limited: requests.cpu=1200m",
                "{cpu: 2, memory: 1536Mi}           | '' | exceeded quota: team, requested: memory=1Gi, used: memory=1Gi, limited: memory=1536Mi",
                "{limits.memory: 1536Mi}            | '' | exceeded quota: team, requested: limits.memory=1Gi, used: limits.memory=1Gi, limited: limits.memory=1536Mi",
                "{limits.cpu: 4}                    | '' | failed quota: team: must specify limits.cpu for: main",
                "{requests.example.com/gpu: 2}      | '' | exceeded quota: team, requested: requests.example.com/gpu=2, used: requests.example.com/gpu=3, limited: requests.example.com/gpu=2",
                "{pods: 1}                          | scopes: [BestEffort] | ''",
                "{pods: 1}                          | scopes: [NotBestEffort] | exceeded quota: team, requested: pods=1, used: pods=1, limited: pods=1",
                "{pods: 0}                          | scopes: [Terminating] | ''",
                "{pods: 0}                          | 'scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}' | exceeded quota: team, requested: pods=1, used: pods=0, limited: pods=0",
                "{pods: 0}                          | 'scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: NotIn, values: [high]}]}' | ''",
                "{services: 0}                      | '' | ''",
                "{requests.cpu: 1}                  | 'scopeSelector: {matchExpressions: []}' | exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=500m, limited: requests.cpu=1",
                "{pods: 0}                          | scopes: [CrossNamespacePodAffinity] | ''",
            })
    void podsAreRefusedInTheWordsOfTheServer(String hard, String scopes, String detail) {
        Pod pod =
                pod("second", "{cpu: 1, memory: 1Gi}", "{memory: 1Gi, example.com/gpu: 2}", "priorityClassName: high");

        var refusal = admission(hard, scopes).refusal(pod);

        assertThat(refusal.orElse("")).isEqualTo(detail.isEmpty() ? "" : "pods \"second\" is forbidden: " + detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{gpu.deviceclass.resource.k8s.io/devices: 3} | 'exactly: {deviceClassName: gpu, count: 2}' | gpu.deviceclass.resource.k8s.io/devices=2 | gpu.deviceclass.resource.k8s.io/devices=2 | gpu.deviceclass.resource.k8s.io/devices=3",
                "{gpu.deviceclass.resource.k8s.io/devices: 3} | 'exactly: {deviceClassName: gpu}' | '' | '' | ''",
                "{gpu.deviceclass.resource.k8s.io/devices: 20} | 'exactly: {deviceClassName: gpu, allocationMode: All}' | gpu.deviceclass.resource.k8s.io/devices=32 | gpu.deviceclass.resource.k8s.io/devices=2 | gpu.deviceclass.resource.k8s.io/devices=20",
                "{gpu.deviceclass.resource.k8s.io/devices: 4} | 'firstAvailable: [{name: a, deviceClassName: gpu, count: 3}, {name: b, deviceClassName: nic}, {name: c, deviceClassName: gpu}]' | gpu.deviceclass.resource.k8s.io/devices=3 | gpu.deviceclass.resource.k8s.io/devices=2 | gpu.deviceclass.resource.k8s.io/devices=4",
                "{count/resourceclaims.resource.k8s.io: 1} | 'exactly: {deviceClassName: nic}' | count/resourceclaims.resource.k8s.io=1 | count/resourceclaims.resource.k8s.io=1 | count/resourceclaims.resource.k8s.io=1",
                "{requests.deviceclass.resource.kubernetes.io/gpu: 2} | 'exactly: {deviceClassName: gpu}' | requests.deviceclass.resource.kubernetes.io/gpu=1 | requests.deviceclass.resource.kubernetes.io/gpu=2 | requests.deviceclass.resource.kubernetes.io/gpu=2",
                "{requests.example.com/gpu: 3} | 'exactly: {deviceClassName: gpu}' | requests.example.com/gpu=1 | requests.example.com/gpu=3 | requests.example.com/gpu=3",
            })
    void claimsAreRefusedInTheWordsOfTheServer(
            String hard, String request, String requested, String used, String limited) {
        var refusal = admission(hard, "").refusal(claim("new", request, ""));

        assertThat(refusal.orElse(""))
                .isEqualTo(
                        requested.isEmpty()
                                ? ""
                                : ("resourceclaims.resource.k8s.io \"new\" is forbidden: exceeded quota: team, requested: %s,"
                                                + " used: %s, limited: %s")
                                        .formatted(requested, used, limited));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'{name: main, resources: {requests: {cpu: 0}}}' | '' | ''",
                "'{name: main, resources: {limits: {cpu: 1}}}' | '' | ''",
                "'{name: main}, {name: side, resources: {requests: {cpu: 1}}}' | '' | failed quota: cpus: must specify requests.cpu for: main",
                "'{name: main}' | 'resources: {requests: {memory: 1Gi}}, ' | ''",
                "'{name: main}' | 'resources: {requests: {example.com/gpu: 1}}, ' | failed quota: cpus: must specify requests.cpu for: main",
            })
    void eachContainerSaysWhatQuotasOfCpuCount(String containers, String ofPod, String detail) {
        Pod pod = object("{apiVersion: v1, kind: Pod, metadata: {name: second}, spec: {%scontainers: [%s]}}"
                .formatted(ofPod, containers));
        var admission = new QuotaAdmission(
                List.of(quota("cpus", "{requests.cpu: 8}", "")),
                List.of(),
                List.of(),
                Map.of(),
                new QuotaUsages(() -> Instant.EPOCH));

        assertThat(admission.refusal(pod).orElse(""))
                .isEqualTo(detail.isEmpty() ? "" : "pods \"second\" is forbidden: " + detail);
    }

    /** As upstream, all quotas check that containers have the required amounts before any of them counts. */
    @Test
    void missingAmountsAreReportedBeforeExceededOnes() {
        Pod pod = object("{apiVersion: v1, kind: Pod, metadata: {name: second}, spec: {containers: [{name: main}]}}");
        var admission = new QuotaAdmission(
                List.of(quota("a", "{pods: 0}", ""), quota("b", "{limits.memory: 1Gi}", "")),
                List.of(),
                List.of(),
                Map.of(),
                new QuotaUsages(() -> Instant.EPOCH));

        assertThat(admission.refusal(pod))
                .hasValue("pods \"second\" is forbidden: failed quota: b: must specify limits.memory for: main");
    }

    /** Overhead is not a request of a container, and is added only to a limit. */
    @Test
    void overheadIsRequestedButMakesNoPodBetterThanBestEffort() {
        Pod pod = pod("second", "{}", "{memory: 1Gi}", "overhead: {cpu: 1, memory: 1Gi}");
        Pod plain = pod("second", "{}", "{}", "overhead: {cpu: 1}");

        assertThat(admission("{limits.memory: 2Gi}", "").refusal(pod))
                .hasValue(
                        "pods \"second\" is forbidden: exceeded quota: team, requested: limits.memory=2Gi, used: limits.memory=1Gi, limited: limits.memory=2Gi");
        assertThat(admission("{pods: 0}", "scopes: [BestEffort]").refusal(plain))
                .isPresent();
        assertThat(admission("{pods: 0}", "scopes: [BestEffort]").refusal(pod)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'phase: Succeeded' | '' | false",
                "'phase: Running' | '' | true",
                "'phase: Running' | ', deletionTimestamp: 2026-01-01T00:00:00Z, deletionGracePeriodSeconds: 30' | false",
                "'phase: Running' | ', deletionTimestamp: 2026-01-01T00:00:31Z, deletionGracePeriodSeconds: 30' | true",
                "'phase: Running' | ', deletionTimestamp: 2026-01-01T00:00:00Z, deletionGracePeriodSeconds: 9223372036854775807' | true",
            })
    void endedPodsCountAsObjectsOnly(String status, String metadata, boolean counts) {
        Pod other = object(
                "{apiVersion: v1, kind: Pod, metadata: {name: other%s}, spec: {containers: [{name: main}]}, status: {%s}}"
                        .formatted(metadata, status));
        Instant now = Instant.parse("2026-01-01T00:01:00Z");

        assertThat(new QuotaAdmission(
                                List.of(quota("team", "{pods: 1}", "")),
                                List.of(other),
                                List.of(),
                                Map.of(),
                                new QuotaUsages(() -> now))
                        .refusal(FIRST)
                        .isPresent())
                .isEqualTo(counts);
        assertThat(new QuotaAdmission(
                                List.of(quota("team", "{count/pods: 1}", "")),
                                List.of(other),
                                List.of(),
                                Map.of(),
                                new QuotaUsages(() -> now))
                        .refusal(FIRST))
                .isPresent();
    }

    /** The API server does not recognize a quota for a class that does not exist as a quota for claims. */
    @Test
    void quotasOfClassesThatDoNotExistCountNoClaims() {
        ResourceClaim claim = claim("new", "exactly: {deviceClassName: nope}", "");

        assertThat(admission("{requests.deviceclass.resource.kubernetes.io/nope: 0}", "")
                        .refusal(claim))
                .isEmpty();
        assertThat(admission(
                                "{requests.deviceclass.resource.kubernetes.io/nope: 0, count/resourceclaims.resource.k8s.io: 9}",
                                "")
                        .refusal(claim))
                .isPresent();
    }

    /** The API server does not count other claims either when a pod requests the class as an extended resource. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{requests.deviceclass.resource.kubernetes.io/nope: 1} | false",
                "{requests.deviceclass.resource.kubernetes.io/nope: 1, count/resourceclaims.resource.k8s.io: 9} | true",
            })
    void podsThatAskForAClassThatDoesNotExist(String hard, boolean isRefused) {
        var admission = new QuotaAdmission(
                List.of(quota("team", hard, "")),
                List.of(),
                List.of(claim("held", "exactly: {deviceClassName: nope}", "")),
                Map.of(),
                new QuotaUsages(() -> Instant.EPOCH));

        assertThat(admission
                        .refusal(pod("new", "{}", "{deviceclass.resource.kubernetes.io/nope: 1}", ""))
                        .isPresent())
                .isEqualTo(isRefused);
    }

    @Test
    void quotasWithScopesCountNoClaims() {
        assertThat(admission("{count/resourceclaims.resource.k8s.io: 0}", "scopes: [NotTerminating]")
                        .refusal(claim("new", "exactly: {deviceClassName: gpu}", "")))
                .isEmpty();
    }

    /** The claim that kube-scheduler creates for a pod's extended resources consumes nothing in addition to the pod. */
    @Test
    void extendedResourcesOfPodsCountOnce() {
        ResourceClaim ofPod = claim(
                "first-extended",
                "exactly: {deviceClassName: gpu, count: 1}",
                "annotations: {resource.kubernetes.io/extended-resource-claim: 'true'}, ownerReferences: [{apiVersion: v1, kind: Pod, name: first, uid: uid-first, controller: true}], ");

        assertThat(admission("{requests.example.com/gpu: 3}", "").refusal(ofPod))
                .isEmpty();
        assertThat(admission("{requests.example.com/gpu: 3, gpu.deviceclass.resource.k8s.io/devices: 2}", "")
                        .refusal(ofPod))
                .isPresent();
    }

    /** The spec may be missing in files. */
    @Test
    void objectsWithoutSpecCountForNothing() {
        String empty = "{apiVersion: %s, kind: %s, metadata: {name: empty, namespace: team}}";
        Pod going = object(
                "{apiVersion: v1, kind: Pod, metadata: {name: going, namespace: team, deletionTimestamp: soon, deletionGracePeriodSeconds: 1}, spec: {containers: []}}");
        QuotaAdmission admission = QuotaAdmission.in(
                "team",
                List.of(
                        object(empty.formatted("v1", "ResourceQuota")),
                        object(
                                "{apiVersion: v1, kind: ResourceQuota, metadata: {name: team, namespace: team}, spec: {hard: {pods: 2, count/resourceclaims.resource.k8s.io: 2}}}")),
                List.of(object(empty.formatted("v1", "Pod")), going),
                List.of(object(empty.formatted("resource.k8s.io/v1", "ResourceClaim"))),
                List.of(),
                new QuotaUsages(() -> Instant.EPOCH));

        assertThat(admission.refusal(FIRST)).isEmpty();
        assertThat(admission.refusal(HELD)).isEmpty();
    }

    private static ResourceQuota quota(String name, String hard, String scopes) {
        return object("{apiVersion: v1, kind: ResourceQuota, metadata: {name: %s}, spec: {hard: %s%s}}"
                .formatted(name, hard, scopes.isEmpty() ? "" : ", " + scopes));
    }

    private static QuotaAdmission admission(String hard, String scopes) {
        return new QuotaAdmission(
                List.of(quota("team", hard, scopes)),
                List.of(FIRST),
                List.of(HELD),
                Map.of("gpu", Optional.of("example.com/gpu"), "nic", Optional.empty()),
                new QuotaUsages(() -> Instant.EPOCH));
    }

    /** The pod as the API server stores it. */
    private static Pod pod(String name, String requests, String limits, String more) {
        Pod pod = object(
                ("{apiVersion: v1, kind: Pod, metadata: {name: %1$s, uid: uid-%1$s}, spec: {%4$scontainers: [{name: main,"
                                + " resources: {requests: %2$s, limits: %3$s}}]}}")
                        .formatted(name, requests, limits, more.isEmpty() ? "" : more + ", "));
        PodDefaults.set(pod);
        return pod;
    }

    private static ResourceClaim claim(String name, String request, String metadata) {
        return object(
                ("{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {%3$sname: %1$s}, spec: {devices:"
                                + " {requests: [{name: device, %2$s}]}}}")
                        .formatted(name, request, metadata));
    }
}
