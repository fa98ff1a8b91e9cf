package dev.fakegpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.KeptObjects;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.PartAccount;
import dev.fakegpu.testing.ProjectFiles;
import dev.fakegpu.testing.Rights;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceRule;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectRulesReviewBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rights of each part, as {@code kubectl auth can-i --list} shows them, without those of every ServiceAccount. {@code
 * -Dgolden.update=true} rewrites the files and fails, because the changes need a review.
 */
class RightsIT {

    private static final String GOLDEN = "src/test/resources/golden";

    private static final String ANY_NAMESPACE = "default";

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    @BeforeAll
    static void accountWithoutRoles() {
        var client = controlPlane.client();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("rights-none")
                        .endMetadata()
                        .build())
                .create();
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace("rights-none")
                        .withName("none")
                        .endMetadata()
                        .build())
                .create();
    }

    @ParameterizedTest
    @ValueSource(strings = {"publisher", "companion", "explainer", "simulated-kubelet"})
    void partHasExactlyTheseRights(String part) throws IOException {
        String namespace = PartAccount.create(controlPlane.controlPlane(), part);

        check(part, namespace, PartAccount.NAME, Map.of("the operator's namespace", namespace));
    }

    /** Devices that were dropped for lack of memory are read again with requests that a part needs for nothing else. */
    @ParameterizedTest
    @ValueSource(strings = {"publisher", "companion", "explainer", "simulated-kubelet"})
    void partReadsDroppedDevicesAgain(String part) {
        // Given
        var controls = controlPlane.controlPlane();
        controls.applyFile("crds/fakegpus.fakegpu.dev.yaml");
        String namespace = PartAccount.create(controls, part);
        ResourceSlice slice =
                controls.client().resource(sliceOfAnotherDriver(part)).create();
        Rights.awaitStored(controls.client());
        var isMemoryFull = new AtomicBoolean(true);
        try (var client = clientOf(part, isMemoryFull::get);
                var watch = new ClusterWatch(client, namespace, namespace)) {
            watch.start();
            assertThat(watch.slicesWithoutDevices())
                    .extracting(known -> known.getMetadata().getName())
                    .contains("rights-" + part);

            // When
            isMemoryFull.set(false);
            watch.readDevicesAgain();

            // Then
            assertThat(watch.slicesWithoutDevices()).isEmpty();
        } finally {
            controls.client().resource(slice).delete();
        }
    }

    private static ResourceSlice sliceOfAnotherDriver(String part) {
        return new ResourceSliceBuilder()
                .withNewMetadata()
                .withName("rights-" + part)
                .endMetadata()
                .withNewSpec()
                .withDriver("other.example.com")
                .withAllNodes(true)
                .withNewPool()
                .withName(part)
                .withGeneration(1L)
                .withResourceSliceCount(1L)
                .endPool()
                .addNewDevice()
                .withName("device")
                .endDevice()
                .endSpec()
                .build();
    }

    /** A client with the settings of the operator's. */
    private static KubernetesClient clientOf(String part, BooleanSupplier isMemoryFull) {
        try (var account = controlPlane.controlPlane().clientAs("rights-" + part, PartAccount.NAME)) {
            var mapper = ClientSerialization.mapper();
            KeptObjects.configure(mapper, isMemoryFull);
            return new KubernetesClientBuilder()
                    .withConfig(account.getConfiguration())
                    .withKubernetesSerialization(new KubernetesSerialization(mapper, true))
                    .build();
        }
    }

    @Test
    void kubeletPluginHasExactlyTheseRights() throws IOException {
        var cluster = controlPlane.controlPlane();
        cluster.applyFile("config/rbac/namespace.yaml");
        for (String file : List.of("namespace", "service_account", "role", "role_binding")) {
            cluster.applyFile("config/kubelet-plugin/" + file + ".yaml");
        }

        String name = "fakegpu-kubelet-plugin";
        check(
                "kubelet-plugin",
                name,
                name,
                Map.of("the operator's namespace", "fakegpu-system", "the plugin's namespace", name));
    }

    /** @param others descriptions of other namespaces in which the account may have rights, and their names */
    private static void check(String part, String namespace, String account, Map<String, String> others)
            throws IOException {
        Path golden = ProjectFiles.resolve(GOLDEN).resolve("rights/" + part + ".txt");
        var namespaces = new TreeMap<>(others);
        namespaces.put("kube-node-lease", "kube-node-lease");
        // The authorizer sees new bindings through watches, which differ for bindings of a namespace and of the
        // cluster.
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(own(namespace, account, namespace)).isNotEmpty());
        if (!Boolean.getBoolean("golden.update")) {
            String expected = Files.readString(golden);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(describe(namespace, account, namespaces))
                            .as("%s", golden)
                            .isEqualTo(expected));
        }
        compare(golden, describe(namespace, account, namespaces));
    }

    private static String describe(String namespace, String account, Map<String, String> namespaces) {
        Set<String> everywhere = own(namespace, account, ANY_NAMESPACE);
        var text = new StringBuilder("in every namespace:\n");
        everywhere.forEach(rule -> text.append("  ").append(rule).append('\n'));
        namespaces.forEach((name, other) -> {
            var more = new TreeSet<>(own(namespace, account, other));
            more.removeAll(everywhere);
            if (!more.isEmpty()) {
                text.append("also in ").append(name).append(":\n");
                more.forEach(rule -> text.append("  ").append(rule).append('\n'));
            }
        });
        return text.toString();
    }

    private static void compare(Path golden, String actual) throws IOException {
        String expected = Files.exists(golden) ? Files.readString(golden) : "";
        if (Boolean.getBoolean("golden.update") && !actual.equals(expected)) {
            Files.createDirectories(Objects.requireNonNull(golden.getParent()));
            Files.writeString(golden, actual);
            fail(golden + " is written anew; review it and run again without golden.update");
        }
        assertThat(actual).as("%s", golden).isEqualTo(expected);
    }

    private static Set<String> own(String namespace, String account, String where) {
        var own = rules(namespace, account, where);
        own.removeAll(rules("rights-none", "none", ANY_NAMESPACE));
        return own;
    }

    /** A line for each resource: the resource, the names if it is restricted to some, and the verbs. */
    private static Set<String> rules(String namespace, String account, String where) {
        try (var client = controlPlane.controlPlane().clientAs(namespace, account)) {
            var review = client.authorization()
                    .v1()
                    .selfSubjectRulesReview()
                    .create(new SelfSubjectRulesReviewBuilder()
                            .withNewSpec()
                            .withNamespace(where)
                            .endSpec()
                            .build())
                    .getStatus();
            assertThat(review.getIncomplete()).isFalse();
            Map<String, Set<String>> verbs = new TreeMap<>();
            review.getResourceRules()
                    .forEach(rule -> resources(rule)
                            .forEach(resource -> verbs.computeIfAbsent(resource, unused -> new TreeSet<>())
                                    .addAll(rule.getVerbs())));
            review.getNonResourceRules()
                    .forEach(rule -> rule.getNonResourceURLs()
                            .forEach(url -> verbs.computeIfAbsent(url, unused -> new TreeSet<>())
                                    .addAll(rule.getVerbs())));
            var lines = new TreeSet<String>();
            verbs.forEach((resource, allowed) -> lines.add(resource + " " + allowed));
            return lines;
        }
    }

    private static List<String> resources(ResourceRule rule) {
        String names = rule.getResourceNames().isEmpty() ? "" : " " + rule.getResourceNames();
        return rule.getApiGroups().stream()
                .flatMap(group -> rule.getResources().stream()
                        .map(resource -> (group.isEmpty() ? resource : resource + "." + group) + names))
                .toList();
    }
}
