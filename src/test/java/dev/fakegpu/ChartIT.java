package dev.fakegpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.runtime.OperatorConfig.Part;
import dev.fakegpu.testing.CommandLine;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code deploy/chart}: the rendered objects are compared with {@code config} and sent to an API server. */
class ChartIT {

    private static final String CHART = "deploy/chart";

    private static final String[] EVERYTHING = {
        "kubeletPlugin.enabled=true",
        "kubeletPlugin.podMonitor.enabled=true",
        "metrics.serviceMonitor.enabled=true",
        "metrics.prometheusRule.enabled=true",
        "metrics.grafanaDashboards.enabled=true",
        "networkPolicy.enabled=true",
        "admissionPolicy.enabled=true",
        "companion.preemption=Enabled",
        "dashboard.enabled=true"
    };

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final CommandLine commands =
            new CommandLine(controlPlane.controlPlane().kubeconfig());

    @TempDir
    Path dir;

    @Test
    void lintFindsNothing() {
        assertThat(commands.helm("lint", CHART, "--strict").succeeded()).contains("0 chart(s) failed");
    }

    @Test
    void defaultsRenderTheSingleFile() throws IOException {
        String installed = Files.readString(ProjectFiles.resolve("deploy/install.yaml"));

        assertThat(comparable(render("fakegpu-system"))).isEqualTo(comparable(installed));
    }

    @Test
    void optionalPartsRenderTheComponents() throws IOException {
        String built = kustomized(
                "kubelet-plugin",
                "kubelet-plugin-prometheus",
                "prometheus",
                "prometheus-rule",
                "grafana",
                "network-policy",
                "admission-policy",
                "preemption",
                "dashboard");

        assertThat(comparable(render("fakegpu-system", EVERYTHING))).isEqualTo(comparable(built));
    }

    @ParameterizedTest
    @CsvSource({
        "kubelet-plugin, kubeletPlugin.enabled=true",
        "prometheus, metrics.serviceMonitor.enabled=true",
        "prometheus-rule, metrics.prometheusRule.enabled=true",
        "grafana, metrics.grafanaDashboards.enabled=true",
        "network-policy, networkPolicy.enabled=true",
        "admission-policy, admissionPolicy.enabled=true",
        "preemption, companion.preemption=Enabled",
        "dashboard, dashboard.enabled=true"
    })
    void eachValueAddsItsComponent(String component, String value) throws IOException {
        assertThat(comparable(render("fakegpu-system", value))).isEqualTo(comparable(kustomized(component)));

        // And: alone, the component renders what it adds to the base
        String alone = commands.kubectl("kustomize", "config/" + component).succeeded();
        var added = new TreeSet<>(comparable(kustomized(component)).keySet());
        added.removeAll(comparable(kustomized()).keySet());
        assertThat(comparable(alone).keySet()).isEqualTo(added);
    }

    /** A dry run, because installed objects would affect the tests of other classes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "crds.keep=true",
                "serviceAccount.name=another,companion.enabled=false,replicaCount=2,podDisruptionBudget.enabled=true",
                "networkPolicy.enabled=true,admissionPolicy.enabled=true,priorityClassName=system-cluster-critical",
                "dashboard.enabled=true,dashboard.address=0.0.0.0,dashboard.asUser=true",
                "kubeletPlugin.enabled=true,kubeletPlugin.namespace=default,kubeletPlugin.createNamespace=false",
                "kubeletPlugin.enabled=true,kubeletPlugin.namespace=default,kubeletPlugin.createNamespace=false,kubeletPlugin.kubeletRoot=/var/lib/k0s/kubelet,kubeletPlugin.drivers={a.example.com}",
                "rbac.create=false,serviceAccount.create=false,serviceAccount.name=default,metrics.grafanaDashboards.enabled=true",
                "podLabels=null,podAnnotations=null,resources=null,tolerations=null,kubeletPlugin.enabled=true,kubeletPlugin.namespace=default,"
                        + "kubeletPlugin.createNamespace=false,kubeletPlugin.podLabels=null,kubeletPlugin.podAnnotations=null",
                "podSecurityContext.runAsUser=null,podAnnotations.a=b,podLabels.a=b,volumes[0].name=a,volumes[0].emptyDir.medium=Memory,"
                        + "volumeMounts[0].name=a,volumeMounts[0].mountPath=/a,topologySpreadConstraints[0].maxSkew=1,"
                        + "topologySpreadConstraints[0].topologyKey=zone,topologySpreadConstraints[0].whenUnsatisfiable=DoNotSchedule",
            })
    void apiServerAcceptsTheRenderedObjects(String values) throws IOException {
        ensureNamespace("chart-test");
        Path manifest = Files.writeString(dir.resolve("manifest.yaml"), render("chart-test", values));

        assertThat(commands.kubectl("apply", "--dry-run=server", "-f", manifest.toString())
                        .succeeded())
                .contains("deployment.apps/fakegpu-operator created (server dry run)");
    }

    @Test
    void anotherNamespaceAndServiceAccountAreUsedEverywhere() {
        var values = new ArrayList<>(List.of(EVERYTHING));
        values.addAll(List.of("serviceAccount.name=another", "kubeletPlugin.namespace=elsewhere"));

        String manifest = render("other", values.toArray(String[]::new));

        assertThat(manifest)
                .contains("system:serviceaccount:other:another")
                .doesNotContain("fakegpu-system")
                .doesNotContain("namespace: fakegpu-kubelet-plugin");
        assertThat(daemonSet(manifest).getMetadata().getNamespace()).isEqualTo("elsewhere");
        assertThat(deployment(manifest).getSpec().getTemplate().getSpec().getServiceAccountName())
                .isEqualTo("another");
    }

    @Test
    void withoutTheCompanionItsPartAndItsRightsAreLeftOut() {
        String manifest = render("fakegpu-system", "companion.enabled=false");

        assertThat(environment(deployment(manifest)).get("FAKEGPU_PARTS").split(","))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Part.values())
                        .filter(part -> part != Part.Companion)
                        .map(Part::name)
                        .toList());
        assertThat(comparable(manifest).keySet()).noneMatch(name -> name.endsWith("/fakegpu-companion"));
        assertThat(comparable(render("fakegpu-system")).keySet())
                .filteredOn(name -> name.endsWith("/fakegpu-companion"))
                .hasSize(2);
    }

    @Test
    void settingsReachTheOperator() {
        String digest = "sha256:" + "0".repeat(64);
        String manifest = render(
                "fakegpu-system",
                "companion.gate=Off,companion.groupPolicy=Live,explanations.names=Full,image.digest=" + digest
                        + ",env[0].name=FAKEGPU_COMPANION_BINDING_TIMEOUT,env[0].value=60s",
                "kubeletPlugin.enabled=true,kubeletPlugin.drivers={gpu.nvidia.com,gpu.example.com}");

        assertThat(environment(deployment(manifest)))
                .containsEntry("FAKEGPU_COMPANION_GATE", "Off")
                .containsEntry("FAKEGPU_COMPANION_GROUP_POLICY", "Live")
                .containsEntry("FAKEGPU_EXPLANATIONS_NAMES", "Full")
                .containsEntry("FAKEGPU_COMPANION_BINDING_TIMEOUT", "60s");
        var plugin = daemonSet(manifest)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0);
        assertThat(plugin.getImage()).isEqualTo("fakegpu-operator@" + digest);
        assertThat(plugin.getArgs())
                .containsExactly("kubelet-plugin", "--driver=gpu.nvidia.com", "--driver=gpu.example.com");
        assertThat(plugin.getVolumeMounts())
                .extracting(mount -> mount.getMountPath())
                .contains("/var/lib/kubelet/plugins/gpu.nvidia.com", "/var/lib/kubelet/plugins/gpu.example.com")
                .doesNotContain("/var/lib/kubelet/plugins");
        assertThat(daemonSet(manifest).getSpec().getTemplate().getMetadata().getAnnotations())
                .containsEntry("fakegpu.dev/drivers", "gpu.nvidia.com,gpu.example.com");
    }

    @Test
    void dashboardIsServedOnlyIfItIsEnabled() {
        String without = render("fakegpu-system");
        String with =
                render("fakegpu-system", "dashboard.enabled=true,dashboard.address=0.0.0.0,dashboard.asUser=true");

        assertThat(without).doesNotContain("DASHBOARD", "fakegpu-operator-dashboard");
        assertThat(environment(deployment(with)))
                .containsEntry("FAKEGPU_DASHBOARD_ENABLED", "true")
                .containsEntry("FAKEGPU_DASHBOARD_ADDRESS", "0.0.0.0")
                .containsEntry("FAKEGPU_DASHBOARD_AS_USER", "true");
        var expected = new TreeSet<>(comparable(without).keySet());
        expected.add("Service/fakegpu-operator-dashboard"); // but no role: callers have their own rights
        assertThat(comparable(with).keySet()).isEqualTo(expected);
    }

    @Test
    void chartCanBeADependencyOfAnotherChart() throws IOException {
        Path parent = Files.createDirectories(dir.resolve("parent"));
        commands.helm(
                        "package",
                        CHART,
                        "--destination",
                        parent.resolve("charts").toString())
                .succeeded();
        Files.writeString(parent.resolve("Chart.yaml"), """
                apiVersion: v2
                name: platform
                version: 1.0.0
                dependencies:
                - {name: fakegpu-operator, version: 0.x.x, condition: fakegpu-operator.enabled}
                """);

        assertThat(ofParent(parent, "fakegpu-operator.enabled=true,fakegpu-operator.replicaCount=2,global.team=gpu"))
                .contains("kind: Deployment", "replicas: 2");
        assertThat(ofParent(parent, "fakegpu-operator.enabled=false")).doesNotContain("kind: ");
    }

    private String ofParent(Path parent, String values) {
        return commands.helm("template", "release", parent.toString(), "--set", values)
                .succeeded();
    }

    @Test
    void theExamplesForArtifactHubAreAccepted() throws IOException {
        var annotations = new YAMLMapper()
                .readTree(ProjectFiles.resolve(CHART + "/Chart.yaml").toFile())
                .get("annotations");
        var definitions =
                new YAMLMapper().readTree(annotations.get("artifacthub.io/crds").asText());
        var examples = new YAMLMapper()
                .readTree(annotations.get("artifacthub.io/crdsExamples").asText());

        assertThat(definitions).singleElement().satisfies(it -> {
            assertThat(it.get("name").asText()).isEqualTo(CustomResource.getCRDName(FakeGpu.class));
            assertThat(it.get("kind").asText()).isEqualTo(HasMetadata.getKind(FakeGpu.class));
            assertThat(it.get("version").asText()).isEqualTo(HasMetadata.getVersion(FakeGpu.class));
        });
        commands.kubectl("apply", "--server-side", "-k", "crds").succeeded();
        Awaitility.await()
                .untilAsserted(
                        () -> commands.kubectl("get", "fakegpus").succeeded()); // it is served later than it is stored
        assertThat(examples).singleElement().satisfies(example -> {
            Path file = dir.resolve("example.yaml");
            new YAMLMapper().writeValue(file.toFile(), example);
            assertThat(commands.kubectl("apply", "--dry-run=server", "-f", file.toString())
                            .succeeded())
                    .contains("fakegpu.fakegpu.dev/a100 created (server dry run)");
        });
    }

    @Test
    void namesThatConsistOfDigitsStayStrings() throws IOException {
        ensureNamespace("123");
        ensureNamespace("456");
        String names =
                "serviceAccount.name=true,priorityClassName=1e3,kubeletPlugin.namespace=456,kubeletPlugin.priorityClassName=1000,"
                        + "kubeletPlugin.kubeletRoot=/a: b";
        String parts =
                "podDisruptionBudget.enabled=true,metrics.grafanaDashboards.enabled=true,kubeletPlugin.enabled=true,"
                        + "kubeletPlugin.createNamespace=false";
        String rendered = commands.helm(
                        "template", "789", CHART, "--namespace", "123", "--set-string", names, "--set", parts)
                .succeeded();
        Path manifest = Files.writeString(dir.resolve("manifest.yaml"), rendered);

        assertThat(commands.kubectl("apply", "--dry-run=server", "-f", manifest.toString())
                        .succeeded())
                .contains(
                        "serviceaccount/true created (server dry run)",
                        "daemonset.apps/fakegpu-kubelet-plugin created (server dry run)");
    }

    @ParameterizedTest
    @CsvSource({"crds.enabled=false, 0", "crds.enabled=true, 1"})
    void definitionCanBeInstalledSeparately(String values, int definitions) {
        assertThat(comparable(render("fakegpu-system", values)).keySet())
                .filteredOn(name -> name.startsWith("CustomResourceDefinition/"))
                .hasSize(definitions);
    }

    /** Renders {@code config} with components, as in a user's overlay. */
    private String kustomized(String... components) throws IOException {
        Path overlay = Files.createTempDirectory(dir, "overlay").toAbsolutePath();
        Path config = overlay.relativize(ProjectFiles.resolve("config"));
        Files.writeString(
                overlay.resolve("kustomization.yaml"),
                "{resources: [%s], components: [%s]}"
                        .formatted(
                                config,
                                Arrays.stream(components)
                                        .map(component -> config.resolve("components/" + component)
                                                .toString())
                                        .collect(Collectors.joining(", "))));
        return commands.kubectl("kustomize", overlay.toString()).succeeded();
    }

    private String render(String namespace, String... values) {
        var arguments = new ArrayList<>(List.of("template", "fakegpu-operator", CHART, "--namespace", namespace));
        for (String value : values) {
            arguments.addAll(List.of("--set", value));
        }
        return commands.helm(arguments.toArray(String[]::new)).succeeded();
    }

    /** The objects by kind and name, without namespaces, which Helm creates itself, and without the labels that only Helm sets. */
    private static Map<String, HasMetadata> comparable(String manifests) {
        var objects = new TreeMap<String, HasMetadata>();
        var yaml = new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8));
        for (HasMetadata object : controlPlane.client().load(yaml).items()) {
            object.getMetadata()
                    .getLabels()
                    .keySet()
                    .removeIf(label -> label.startsWith("helm.sh/")
                            || List.of("instance", "version", "managed-by")
                                    .contains(label.replace("app.kubernetes.io/", "")));
            objects.put(object.getKind() + "/" + object.getMetadata().getName(), object);
        }
        objects.remove("Namespace/fakegpu-system");
        return objects;
    }

    private static Deployment deployment(String manifest) {
        return (Deployment) comparable(manifest).get("Deployment/fakegpu-operator");
    }

    private static DaemonSet daemonSet(String manifest) {
        return (DaemonSet) comparable(manifest).get("DaemonSet/fakegpu-kubelet-plugin");
    }

    private static Map<String, String> environment(Deployment deployment) {
        var environment = new TreeMap<String, String>();
        deployment
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getEnv()
                .forEach(variable -> environment.put(variable.getName(), String.valueOf(variable.getValue())));
        return environment;
    }

    private static void ensureNamespace(String name) {
        controlPlane
                .client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .serverSideApply();
    }
}
