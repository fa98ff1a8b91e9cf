package dev.fakegpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.ProjectFiles;
import dev.fakegpu.testing.Rights;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code deploy/install.yaml}, which users apply. */
class InstallIT {

    private static final String INSTALL = "deploy/install.yaml";

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private static List<HasMetadata> installed;

    /** Applies everything at once, as {@code kubectl apply} does; no object may require the definition that is in the same file. */
    @BeforeAll
    static void install() throws IOException {
        try (InputStream yaml = Files.newInputStream(ProjectFiles.resolve(INSTALL))) {
            installed = controlPlane.controlPlane().apply(yaml);
        }
        Rights.awaitStored(controlPlane.client());
    }

    @Test
    void installFileEqualsTheRenderedConfiguration() throws IOException, InterruptedException {
        // When
        var check = new ProcessBuilder(
                        ProjectFiles.resolve("hack/render-install").toString(), "--check")
                .redirectErrorStream(true)
                .start();
        var said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        // Then
        assertThat(check.waitFor()).as(said).isZero();
    }

    @Test
    void apiServerAcceptsTheInstallFile() {
        assertThat(installed)
                .extracting(HasMetadata::getKind)
                .containsOnly(
                        "Namespace",
                        "CustomResourceDefinition",
                        "ServiceAccount",
                        "ClusterRole",
                        "ClusterRoleBinding",
                        "Role",
                        "RoleBinding",
                        "Service",
                        "Deployment");
        assertThat(installed)
                .allSatisfy(object -> assertThat(object.getMetadata().getUid()).isNotEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubelet-plugin/daemonset",
                "kubelet-plugin/network_policy",
                "network-policy/operator",
                "admission-policy/nodes",
                "admission-policy/real_nodes"
            })
    void apiServerAcceptsOptionalFiles(String file) {
        controlPlane.controlPlane().applyFile("config/kubelet-plugin/namespace.yaml");
        try (var yaml = Files.newInputStream(ProjectFiles.resolve("config/" + file + ".yaml"))) {
            // A dry run, because a policy would affect the tests of other classes.
            controlPlane.client().load(yaml).items().stream()
                    .map(object -> controlPlane.client().resource(object))
                    .forEach(object -> assertThat(object.dryRun()
                                    .fieldValidation(FieldValidateable.Validation.STRICT)
                                    .create())
                            .isNotNull());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void installFileHasTheGeneratedDefinition() {
        var generated = controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml").stream()
                .map(CustomResourceDefinition.class::cast)
                .findFirst()
                .orElseThrow();
        var definition = installed.stream()
                .filter(CustomResourceDefinition.class::isInstance)
                .map(CustomResourceDefinition.class::cast)
                .findFirst()
                .orElseThrow();
        assertThat(definition.getSpec()).isEqualTo(generated.getSpec());
    }

    /** Spot checks; the end-to-end tests run with this account and show that it has all necessary rights. */
    @ParameterizedTest
    @CsvSource({
        "update,                resource.k8s.io,           resourceslices",
        "delete,                resource.k8s.io,           resourceslices",
        "patch,                 resource.k8s.io,           deviceclasses",
        "update,                resource.k8s.io,           resourceclaims/status",
        "update,                resource.k8s.io,           resourceclaims/binding",
        "arbitrary-node:update, resource.k8s.io,           resourceclaims/driver",
        "patch,                 fakegpu.dev,               fakegpus/status",
        "watch,                 fakegpu.dev,               fakegpus",
        "create,                '',                        nodes",
        "create,                '',                        bindings",
        "create,                '',                        events",
        "create,                resource.k8s.io,           resourceclaims",
        "delete,                resource.k8s.io,           resourceclaims",
    })
    void operatorHasTheRight(String verb, String group, String resource) {
        assertThat(mayOperator(verb, group, resource)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "get,                   '',                        secrets",
        "list,                  '',                        configmaps",
        "create,                '',                        pods",
        "update,                '',                        pods",
        "update,                '',                        nodes",
        "patch,                 coordination.k8s.io,       leases",
        "create,                '',                        pods/exec",
        "create,                '',                        serviceaccounts/token",
        "delete,                '',                        namespaces",
        "create,                resource.k8s.io,           resourceclaimtemplates",
        "create,                fakegpu.dev,               fakegpus",
        "delete,                fakegpu.dev,               fakegpus",
        "update,                apiextensions.k8s.io,      customresourcedefinitions",
        "update,                rbac.authorization.k8s.io, clusterroles",
        "create,                apps,                      deployments",
    })
    void operatorLacksTheRight(String verb, String group, String resource) {
        assertThat(mayOperator(verb, group, resource)).isFalse();
    }

    private static boolean mayOperator(String verb, String group, String resource) {
        var parts = resource.split("/", 2);
        var review = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser("system:serviceaccount:fakegpu-system:fakegpu-operator")
                .withGroups("system:serviceaccounts", "system:serviceaccounts:fakegpu-system", "system:authenticated")
                .withNewResourceAttributes()
                .withNamespace("default")
                .withVerb(verb)
                .withGroup(group)
                .withResource(parts[0])
                .withSubresource(parts.length > 1 ? parts[1] : null)
                .endResourceAttributes()
                .endSpec()
                .build();
        return controlPlane
                .client()
                .authorization()
                .v1()
                .subjectAccessReview()
                .create(review)
                .getStatus()
                .getAllowed();
    }
}
