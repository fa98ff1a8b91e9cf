package dev.fakegpu.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;

/**
 * A ServiceAccount with the rights of one part of the operator, from {@code config/rbac}, in a namespace that stands for the operator's.
 */
public final class PartAccount {

    /** The name of the ServiceAccount, which is that of the operator. */
    public static final String NAME = "fakegpu-operator";

    private static final String OPERATOR_NAMESPACE = "fakegpu-system";

    private PartAccount() {}

    /**
     * Creates the ServiceAccount in a new namespace {@code rights-<part>}.
     *
     * @param part the part as in the names of roles, such as {@code companion}
     * @return the namespace
     */
    public static String create(ControlPlane controlPlane, String part) {
        String namespace = "rights-" + part;
        KubernetesClient client = controlPlane.client();
        apply(
                client,
                new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build());
        apply(
                client,
                new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .withNamespace(namespace)
                        .endMetadata()
                        .build());
        read(client, "config/rbac/role.yaml").forEach(role -> {
            if (role instanceof Role) {
                moveFromOperatorsTo(namespace, role);
            }
            apply(client, role);
        });
        var bound = Set.of("fakegpu-operator", "fakegpu-" + part);
        read(client, "config/rbac/role_binding.yaml").stream()
                .filter(binding -> bound.contains(binding.getMetadata().getName()))
                .forEach(binding -> {
                    moveFromOperatorsTo(namespace, binding);
                    binding.getMetadata().setName(binding.getMetadata().getName() + "-" + namespace);
                    subjects(binding).forEach(subject -> subject.setNamespace(namespace));
                    apply(client, binding);
                });
        return namespace;
    }

    private static void moveFromOperatorsTo(String namespace, HasMetadata object) {
        if (OPERATOR_NAMESPACE.equals(object.getMetadata().getNamespace())) {
            object.getMetadata().setNamespace(namespace);
        }
    }

    private static List<Subject> subjects(HasMetadata binding) {
        return binding instanceof ClusterRoleBinding ofCluster
                ? ofCluster.getSubjects()
                : ((RoleBinding) binding).getSubjects();
    }

    private static List<HasMetadata> read(KubernetesClient client, String file) {
        try (InputStream yaml = Files.newInputStream(ProjectFiles.resolve(file))) {
            return client.load(yaml).items();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static void apply(KubernetesClient client, HasMetadata object) {
        client.resource(object).fieldManager("fakegpu-test").forceConflicts().serverSideApply();
    }
}
