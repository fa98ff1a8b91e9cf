package dev.fakegpu.e2e.hostile;

import dev.fakegpu.testing.ControlPlane;
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
import java.util.ArrayList;
import java.util.List;

/** A namespace, and somebody who may do there what the ClusterRole {@code edit} allows, and create claims and their templates. */
final class Tenant implements AutoCloseable {

    static final String NAMESPACE = "hostile";

    private final KubernetesClient administrator;
    private final KubernetesClient tenant;
    private final List<String> others = new ArrayList<>();
    private final List<String> rejected = new ArrayList<>();

    Tenant(ControlPlane controlPlane) {
        administrator = controlPlane.client();
        create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(NAMESPACE)
                .endMetadata()
                .build());
        create(new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName("tenant")
                .endMetadata()
                .build());
        create(new RoleBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
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
        tenant = controlPlane.clientAs(NAMESPACE, "tenant");
    }

    void create(HostileObject object) {
        String path = object.path(NAMESPACE);
        try {
            (object.isOfTenant() ? tenant : administrator).raw(path, "POST", object.json());
        } catch (KubernetesClientException e) {
            String message = String.valueOf(e.getMessage());
            rejected.add(object.name() + ": " + message.substring(0, Math.min(600, message.length())));
            return;
        }
        if (!object.isOfTenant()) {
            others.add(path + "/" + object.storedName());
        }
    }

    /** The objects that the API server does not store, and why. */
    List<String> rejected() {
        return rejected;
    }

    @Override
    public void close() {
        others.forEach(path -> administrator.raw(path, "DELETE", null));
        delete(administrator.pods().inNamespace(NAMESPACE).list().getItems());
        delete(administrator
                .resources(ResourceClaim.class)
                .inNamespace(NAMESPACE)
                .list()
                .getItems());
        administrator.namespaces().withName(NAMESPACE).delete();
        tenant.close();
    }

    private void delete(List<? extends HasMetadata> objects) {
        for (HasMetadata object : objects) {
            var resource = administrator.resource(object);
            (object instanceof Pod ? resource.withGracePeriod(0) : resource).delete();
            if (!object.getMetadata().getFinalizers().isEmpty()) {
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
                .withNamespace(NAMESPACE)
                .withName(name)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", kind, name)
                .addNewSubject(null, "ServiceAccount", "tenant", NAMESPACE)
                .build());
    }
}
