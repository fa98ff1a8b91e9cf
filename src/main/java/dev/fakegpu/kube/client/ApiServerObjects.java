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
 * @param client reads and writes the objects
 */
record ApiServerObjects(KubernetesClient client) implements ObjectClient {

    /** The value of {@code api.Labels.OPERATOR}; this package does not know the FakeGpu. */
    private static final String FIELD_MANAGER = "fakegpu-operator";

    private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";

    /** By default, the field manager would be the name of the client library. */
    private static final String OPTIONS = "?fieldManager=" + FIELD_MANAGER + "&fieldValidation=Ignore";

    @Override
    public <T extends HasMetadata> @Nullable T get(T object) {
        return resource(object).get();
    }

    @Override
    public <T extends HasMetadata> List<T> list(Class<T> kind) {
        return Pages.list(client.resources(kind).inAnyNamespace(), Pages.SMALL);
    }

    @Override
    public ResourceSlice createUnread(CompactSlice slice) {
        return new SliceCreation(client).create(slice, FIELD_MANAGER);
    }

    @Override
    @SuppressWarnings("unchecked") // the result is a slice, too
    public <T extends HasMetadata> T create(T object) {
        return object instanceof CompactSlice slice
                ? (T) writeSlice(SLICES, "POST", slice)
                : client.resource(object).create();
    }

    private ResourceSlice writeSlice(String path, String method, CompactSlice slice) {
        return client.getKubernetesSerialization()
                .unmarshal(client.raw(path + OPTIONS, method, slice), ResourceSlice.class);
    }

    /** The client would take the operator's class of slices for a kind of its own. */
    @SuppressWarnings("unchecked")
    private <T extends HasMetadata> Resource<T> resource(T object) {
        return object instanceof CompactSlice
                ? (Resource<T>) client.resources(ResourceSlice.class).resource((ResourceSlice) object)
                : client.resource(object);
    }

    /**
     * Writes without server-side apply. The fields that a creation has set belong to another entry of the same manager ("Update"), so an
     * apply would not remove them. An apply also takes the API server nearly twice the time.
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
        // Uses the object and not its name, since the client would read the pod first.
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
