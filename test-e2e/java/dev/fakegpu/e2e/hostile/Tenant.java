package dev.fakegpu.e2e.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.Rights;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;

/** A namespace, and a user who has the rights of the ClusterRole {@code edit} there, and may create claims and their templates. */
final class Tenant implements AutoCloseable {

    private final String namespace = "hostile-" + UUID.randomUUID().toString().substring(0, 8);
    private static final String FINALIZER = "resource.kubernetes.io/delete-protection";

    private final KubernetesClient administrator;
    private final KubernetesClient tenant;
    private final List<String> others = new ArrayList<>();
    private final List<String> rejected = new ArrayList<>();

    Tenant(ControlPlane controlPlane) {
        administrator = controlPlane.client();
        create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build());
        create(new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("tenant")
                .endMetadata()
                .build());
        create(new RoleBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("claims")
                .endMetadata()
                .addNewRule()
                .withApiGroups("resource.k8s.io")
                .withResources("resourceclaims", "resourceclaimtemplates")
                .withVerbs("*")
                .endRule()
                .build());
        bind("Role", "claims");
        bind("ClusterRole", "edit");
        tenant = controlPlane.clientAs(namespace, "tenant");
        Rights.await(tenant, "create", "resource.k8s.io", "resourceclaims");
        Rights.await(tenant, "create", "", "pods");
    }

    void create(HostileObject object) {
        String path = object.path(namespace);
        try {
            post(object.isOfTenant() ? tenant : administrator, path, object.json());
        } catch (KubernetesClientException e) {
            String message = String.valueOf(e.getMessage());
            rejected.add(object.name() + ": " + message.substring(0, Math.min(600, message.length())));
            return;
        }
        if (!object.isOfTenant()) {
            others.add(path + "/" + object.storedName());
        }
    }

    /** Retries if there is no response in time: for some of the objects, the API server itself takes seconds. */
    private static void post(KubernetesClient client, String path, String json) {
        boolean mayBeStored = false;
        for (int attemptsLeft = 2; ; attemptsLeft--) {
            try {
                client.raw(path, "POST", json);
                return;
            } catch (KubernetesClientException e) {
                if (mayBeStored && e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                    return;
                }
                mayBeStored = e.getCode() == 0;
                if (!mayBeStored || attemptsLeft == 0) {
                    throw e;
                }
            }
        }
    }

    /** The objects that the API server refuses, with the reasons. */
    List<String> rejected() {
        return rejected;
    }

    @Override
    public void close() {
        others.forEach(path -> administrator.raw(path, "DELETE", null));
        var pods = administrator.pods().inNamespace(namespace);
        var claims = administrator.resources(ResourceClaim.class).inNamespace(namespace);
        delete(pods.list().getItems());
        delete(claims.list().getItems());
        Awaitility.await().untilAsserted(() -> {
            assertThat(pods.list().getItems()).isEmpty();
            assertThat(claims.list().getItems()).isEmpty();
        });
        administrator.namespaces().withName(namespace).delete();
        tenant.close();
    }

    /** The operator removes its own finalizer; foreign finalizers must be removed here. */
    private void delete(List<? extends HasMetadata> objects) {
        for (HasMetadata object : objects) {
            var resource = administrator.resource(object);
            (object instanceof Pod ? resource.withGracePeriod(0) : resource).delete();
            if (object.getMetadata().getFinalizers().stream().anyMatch(finalizer -> !finalizer.equals(FINALIZER))) {
                resource.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
            }
        }
    }

    private void create(HasMetadata object) {
        administrator.resource(object).create();
    }

    private void bind(String kind, String name) {
        create(new RoleBindingBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", kind, name)
                .addNewSubject(null, "ServiceAccount", "tenant", namespace)
                .build());
    }
}
