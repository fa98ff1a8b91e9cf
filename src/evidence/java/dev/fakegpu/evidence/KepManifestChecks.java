package dev.fakegpu.evidence;

import static dev.fakegpu.evidence.Experiment.WAITS;

import dev.fakegpu.evidence.Check.Topic;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;

/** Tests whether the manifests in KEP-5963 can be used as they are written. */
final class KepManifestChecks {

    private final Lab lab;
    private final Findings findings;

    KepManifestChecks(Lab lab, Findings findings) {
        this.lab = lab;
        this.findings = findings;
    }

    void run() {
        String slice = """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata:
                  name: node-1-gpu-0-counters
                spec:
                  driver: gpu.example.com
                  pool:
                    name: node-1-pool
                    generation: 1
                    resourceSliceCount: 2
                  sharedCounters:
                  - name: gpu-0-counters
                    counters:
                      multiprocessors:
                        value: "100"
                """;
        findings.add(written("manifest-slice", "ResourceSlice `node-1-gpu-0-counters`", slice));
        findings.add(written("manifest-claim", "ResourceClaim `pod-a-gpu`", """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata:
                  name: pod-a-gpu
                  namespace: default
                spec:
                  devices:
                    requests:
                    - name: gpu
                      deviceClassName: gpu.example.com
                      selectors:
                      - cel:
                          expression: device.attributes['type'].string == 'mig-1g'
                """));
        var experiment = lab.begin(Hardware.example3());
        experiment.pod(
                "pod-a",
                "",
                List.of("{name: gpu, exactly: {deviceClassName: " + Hardware.GPU
                        + ", selectors: [{cel: {expression: \"device.attributes['type'].string == 'mig-1g'\"}}]}}"));
        findings.add(experiment.check(
                "manifest-selector",
                Topic.MANIFESTS,
                "Examples",
                "The selector `device.attributes['type'].string == 'mig-1g'` finds a MIG device.",
                "pod-a allocated",
                experiment.outcomes("pod-a")
                        + (experiment.outcome("pod-a").equals(WAITS)
                                ? ": " + experiment.refusal("pod-a").replaceAll("(?s)^.*?(running |claim )", "$1")
                                : "")));
    }

    private Check written(String id, String what, String yaml) {
        String observed;
        try {
            lab.dryRun(yaml);
            observed = "accepted";
        } catch (KubernetesClientException e) {
            observed = "refused: " + e.getStatus().getMessage().replaceFirst("^.* is invalid: ", "");
        }
        return new Check(
                id, Topic.MANIFESTS, "Examples", "The " + what + " can be used unchanged.", "accepted", observed, yaml);
    }
}
