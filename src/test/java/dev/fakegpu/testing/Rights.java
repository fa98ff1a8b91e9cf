package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;

/** Waits for RBAC: the API server's authorizer sees a binding shortly after it is stored. */
public final class Rights {

    private static final String GROUP = "rights.example.com";
    private static final String OF_CLUSTER = "clusters";
    private static final String OF_NAMESPACE = "namespaces";
    private static final String NAMESPACE = "default";

    private Rights() {}

    /**
     * Waits until the client's account has a right in the client's namespace.
     *
     * @param group the API group; empty for the core group
     * @param resource the plural name, such as {@code resourceclaims}
     */
    public static void await(KubernetesClient account, String verb, String group, String resource) {
        var review = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withNamespace(account.getNamespace())
                .withVerb(verb)
                .withGroup(group)
                .withResource(resource)
                .endResourceAttributes()
                .endSpec()
                .build();
        Awaitility.await()
                .untilAsserted(() -> assertThat(account.authorization()
                                .v1()
                                .selfSubjectAccessReview()
                                .create(review)
                                .getStatus()
                                .getAllowed())
                        .as("may %s %s", verb, resource)
                        .isTrue());
    }

    /**
     * Waits until all stored roles and bindings are in effect. The authorizer sees the objects of a kind in the order in which they were
     * stored, so the method stores some more and waits until these are in effect.
     */
    public static void awaitStored(KubernetesClient administrator) {
        String user = "rights-" + UUID.randomUUID();
        List<HasMetadata> last = ofUser(user);
        last.forEach(object -> administrator.resource(object).create());
        for (String resource : List.of(OF_CLUSTER, OF_NAMESPACE)) {
            Awaitility.await().until(() -> mayGet(administrator, user, resource));
        }
        last.forEach(object -> administrator.resource(object).delete());
    }

    private static boolean mayGet(KubernetesClient administrator, String user, String resource) {
        var review = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser(user)
                .withNewResourceAttributes()
                .withNamespace(NAMESPACE)
                .withVerb("get")
                .withGroup(GROUP)
                .withResource(resource)
                .endResourceAttributes()
                .endSpec()
                .build();
        return administrator
                .authorization()
                .v1()
                .subjectAccessReview()
                .create(review)
                .getStatus()
                .getAllowed();
    }

    private static List<HasMetadata> ofUser(String name) {
        ObjectMeta metadata = new ObjectMetaBuilder().withName(name).build();
        ObjectMeta inNamespace =
                new ObjectMetaBuilder(metadata).withNamespace(NAMESPACE).build();
        return List.of(
                new ClusterRoleBuilder()
                        .withMetadata(metadata)
                        .addNewRule()
                        .withApiGroups(GROUP)
                        .withResources(OF_CLUSTER)
                        .withVerbs("get")
                        .endRule()
                        .build(),
                new RoleBuilder()
                        .withMetadata(inNamespace)
                        .addNewRule()
                        .withApiGroups(GROUP)
                        .withResources(OF_NAMESPACE)
                        .withVerbs("get")
                        .endRule()
                        .build(),
                new ClusterRoleBindingBuilder()
                        .withMetadata(metadata)
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", name)
                        .addNewSubject("rbac.authorization.k8s.io", "User", name, null)
                        .build(),
                new RoleBindingBuilder()
                        .withMetadata(inNamespace)
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
                        .addNewSubject("rbac.authorization.k8s.io", "User", name, null)
                        .build());
    }
}
