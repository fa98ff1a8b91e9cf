package dev.fakegpu.simulate.memory;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the operator's store for an object. */
final class StoreOfKind {

    private StoreOfKind() {}

    /** The store; empty if the operator does not watch objects of this kind. */
    @SuppressWarnings("unchecked")
    static <T extends HasMetadata> Optional<ObjectStore<T>> of(T object, ObjectStores stores) {
        return Optional.ofNullable((ObjectStore<T>) storeOf(object, stores));
    }

    private static @Nullable ObjectStore<?> storeOf(HasMetadata object, ObjectStores stores) {
        if (object instanceof ConfigMap configMap) {
            return storeOf(configMap, stores);
        }
        if (object instanceof ResourceSlice) {
            return stores.slices(); // also for compact slices
        }
        return Map.<Class<?>, ObjectStore<?>>of(
                        FakeGpu.class, stores.fakeGpus(),
                        Node.class, stores.nodes(),
                        DeviceClass.class, stores.deviceClasses(),
                        DeviceTaintRule.class, stores.taintRules(),
                        ResourceClaim.class, stores.claims(),
                        Namespace.class, stores.namespaces(),
                        Pod.class, stores.pods(),
                        PodGroup.class, stores.podGroups())
                .get(object.getClass());
    }

    private static @Nullable ObjectStore<?> storeOf(ConfigMap configMap, ObjectStores stores) {
        if (configMap.getMetadata().getName().equals(ObjectStores.SETTINGS)) {
            return stores.settings();
        }
        var labels = configMap.getMetadata().getLabels();
        return labels != null && "true".equals(labels.get(Labels.CATALOG)) ? stores.catalogFiles() : null;
    }
}
