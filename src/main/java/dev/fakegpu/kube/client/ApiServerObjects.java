package dev.fakegpu.kube.client;

import dev.fakegpu.dra.wire.CompactSlice;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
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

    private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";

    /** A usual request would name the client library as field manager. */
    private static final String OPTIONS = "?fieldManager=" + FIELD_MANAGER + "&fieldValidation=Ignore";

    @Override
    public <T extends HasMetadata> @Nullable T get(T object) {
        return resource(object).get();
    }

    @Override
    public <T extends HasMetadata> List<T> list(Class<T> kind) {
        return client.resources(kind).inAnyNamespace().list().getItems();
    }

    @Override
    public ResourceSlice createUnread(CompactSlice slice) {
        return new SliceCreation(client).create(slice, FIELD_MANAGER);
    }

    @Override
    @SuppressWarnings("unchecked") // a slice stays one
    public <T extends HasMetadata> T create(T object) {
        return object instanceof CompactSlice slice
                ? (T) writeSlice(SLICES, "POST", slice)
                : client.resource(object).create();
    }

    private ResourceSlice writeSlice(String path, String method, CompactSlice slice) {
        return client.getKubernetesSerialization()
                .unmarshal(client.raw(path + OPTIONS, method, slice), ResourceSlice.class);
    }

    /** The client takes a slice as the operator writes it for a kind of its own. */
    @SuppressWarnings("unchecked")
    private <T extends HasMetadata> Resource<T> resource(T object) {
        return object instanceof CompactSlice
                ? (Resource<T>) client.resources(ResourceSlice.class).resource((ResourceSlice) object)
                : client.resource(object);
    }

    /**
     * Not by server-side apply: what a creation has set belongs to the manager's other half ("Update"), so that an apply would not remove it;
     * and an apply takes the API server nearly twice the time.
     */
    @Override
    public ResourceSlice replace(CompactSlice desired) {
        return writeSlice(SLICES + "/" + desired.getMetadata().getName(), "PUT", desired);
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
        // By the object and not by its name, for which the client would read the pod first.
        return client.resource(patch)
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
