package dev.fakegpu.client;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The objects of an API server.
 *
 * @param client with which they are read and written
 */
record ApiServerObjects(KubernetesClient client) implements ObjectClient {

    /** As in {@code api.Labels.OPERATOR}; this package does not know the FakeGpu. */
    private static final String FIELD_MANAGER = "fakegpu-operator";

    @Override
    public <T extends HasMetadata> @Nullable T get(T object) {
        return client.resource(object).get();
    }

    @Override
    public <T extends HasMetadata> T create(T object) {
        return client.resource(object).create();
    }

    @Override
    public <T extends HasMetadata> T apply(T desired) {
        return client.resource(desired)
                .fieldManager(FIELD_MANAGER)
                .forceConflicts()
                .serverSideApply();
    }

    @Override
    public <T extends HasMetadata> T update(T before, T after) {
        return ObjectPatch.update(client, before, after);
    }

    @Override
    public <T extends HasMetadata> T updateStatus(T before, T after) {
        return ObjectPatch.updateStatus(client, before, after);
    }

    @Override
    public <T extends HasMetadata> T edit(T stored, UnaryOperator<T> change) {
        return client.resource(stored).edit(change);
    }

    @Override
    public Pod mergeStatus(Pod patch) {
        return client.pods()
                .inNamespace(patch.getMetadata().getNamespace())
                .withName(patch.getMetadata().getName())
                .subresource("status")
                .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), Serialization.asJson(patch));
    }

    @Override
    public void bind(Binding binding) {
        client.bindings().resource(binding).create();
    }

    @Override
    public void delete(HasMetadata object) {
        DeleteByUid.delete(client, object);
    }

    @Override
    public void deleteImmediately(HasMetadata object) {
        DeleteByUid.deleteImmediately(client, object);
    }
}
