package dev.fakegpu.cli.input;

import dev.fakegpu.cluster.check.CheckReport;
import dev.fakegpu.cluster.check.Checker;
import dev.fakegpu.cluster.check.Input;
import dev.fakegpu.cluster.check.Violation;
import dev.fakegpu.cluster.validation.ApiServer;
import dev.fakegpu.dashboard.server.DraftReader;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import java.util.ArrayList;
import java.util.List;

/** Reads YAML from the dashboard the way {@code check} and {@code what-if} read files. */
public final class YamlDrafts implements DraftReader {

    private static final String SOURCE = "YAML";

    private final String namespace;
    private final KubernetesVersion version;

    /**
     * @param namespace the namespace of objects that have none
     * @param version that of the cluster
     */
    public YamlDrafts(String namespace, KubernetesVersion version) {
        this.namespace = namespace;
        this.version = version;
    }

    @Override
    public Draft read(String yaml) {
        try {
            List<Manifest> manifests = Manifests.ofText(yaml, SOURCE);
            if (manifests.isEmpty()) {
                throw new InvalidInputException(SOURCE + ": has no Kubernetes object");
            }
            var remarks = new ArrayList<>(findings(manifests));
            var objects =
                    SimulationInput.objects(manifests, namespace, MixinsGate.OFF, ApiServer.of(version), remarks::add);
            return new Draft(objects, remarks);
        } catch (InvalidInputException e) {
            throw new InvalidDraftException(e.messages());
        }
    }

    /** The findings about slices, classes, and the slices of FakeGpus. */
    private List<String> findings(List<Manifest> manifests) {
        Input input = CheckInput.of(manifests, version, ignored -> {});
        CheckReport report = Checker.check(input);
        return report.findings().stream().map(YamlDrafts::sentence).toList();
    }

    private static String sentence(Violation finding) {
        return "%s %s: %s, %s: %s"
                .formatted(
                        finding.rule().severity(),
                        finding.rule().name(),
                        finding.where().object(),
                        finding.where().path(),
                        finding.message());
    }
}
