package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates, updates and deletes the DeviceClasses of drivers. It never changes classes that this operator did not create. */
final class DeviceClassPublisher {

    private static final String DRIVER_LABEL = "fakegpu.dev/driver";

    /**
     * The maximum number of owners of a class. The operator replaces owners that are deleted, and more owners would only make every class
     * larger.
     */
    private static final int MAX_OWNERS = 20;

    private final ObjectClient client;
    private final ObjectStores cluster;
    private final InventoryPlanner planner;

    /** Names of classes whose extended resource the API server dropped, because its feature gate DRAExtendedResource is off. */
    private final Set<String> droppedExtendedResource = ConcurrentHashMap.newKeySet();

    DeviceClassPublisher(ObjectClient client, ObjectStores cluster, InventoryPlanner planner) {
        this.client = client;
        this.cluster = cluster;
        this.planner = planner;
    }

    /** Makes the classes of a driver match its FakeGpus, and deletes classes that no FakeGpu of any driver needs. */
    void reconcile(String driver) {
        var owners = owners(driver);
        desired(driver).forEach((name, content) -> ensure(driver, name, content, owners));
        if (!cluster.fakeGpus().leftOut().isEmpty()) {
            return; // FakeGpus that cannot be read may need any class
        }
        // Checks the classes of all drivers, because the FakeGpu may have had another driver before.
        cluster.deviceClasses().list().stream().filter(this::isObsolete).forEach(this::delete);
    }

    private Map<String, VendorDeviceClasses.Content> desired(String driver) {
        return VendorDeviceClasses.of(
                driver, fakeGpus(driver).map(FakeGpu::getSpec).toList(), planner::hasTypes, planner::hasEqualParts);
    }

    /** The FakeGpus whose deletion removes the classes of a driver even where no operator runs. */
    private List<FakeGpu> owners(String driver) {
        return fakeGpus(driver)
                .filter(fakeGpu -> fakeGpu.getSpec().deviceClasses() == FakeGpuSpec.DeviceClasses.Managed)
                .sorted(PoolOwnership.OLDEST_FIRST)
                .limit(MAX_OWNERS)
                .toList();
    }

    private Stream<FakeGpu> fakeGpus(String driver) {
        return cluster.fakeGpus().list().stream()
                .filter(fakeGpu -> fakeGpu.getMetadata().getDeletionTimestamp() == null)
                .filter(fakeGpu -> fakeGpu.getSpec().driver().equals(driver));
    }

    private boolean isObsolete(DeviceClass existing) {
        String driver = label(existing, DRIVER_LABEL);
        return driver != null
                && isOurs(existing)
                && fakeGpus(driver).map(FakeGpu::getSpec).allMatch(planner::isModelKnown) // or it may need any class
                && !desired(driver).containsKey(existing.getMetadata().getName());
    }

    private void ensure(String driver, String name, VendorDeviceClasses.Content content, List<FakeGpu> owners) {
        if (cluster.deviceClasses().leftOut().stream()
                .anyMatch(deviceClass -> deviceClass.getMetadata().getName().equals(name))) {
            return; // the class exists; its content does not matter
        }
        var existing = stored(name);
        if (existing.isPresent()
                && (!isOurs(existing.get())
                        || isOfAnotherDriver(existing.get(), driver)
                        || (isStored(existing.get(), content)
                                && FakeGpuOwner.areAllOwnersOf(owners, existing.get())))) {
            return;
        }
        var deviceClass = new DeviceClassBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Map.of(Labels.MANAGED_BY, Labels.OPERATOR, DRIVER_LABEL, driver))
                .withOwnerReferences(
                        owners.stream().map(FakeGpuOwner::sharedReference).toList())
                .endMetadata()
                .withNewSpec()
                .addNewSelector()
                .withNewCel(content.selector())
                .endSelector()
                .withExtendedResourceName(content.extendedResourceName())
                .endSpec()
                .build();
        var stored = client.apply(deviceClass);
        cluster.deviceClasses().written(stored);
        if (content.extendedResourceName() != null && stored.getSpec().getExtendedResourceName() == null) {
            droppedExtendedResource.add(name);
        }
    }

    /**
     * Reads the class from the API server before the first apply, which would take over a foreign class that the watch has not reported
     * yet.
     */
    private Optional<DeviceClass> stored(String name) {
        return cluster.deviceClasses()
                .get(null, name)
                .or(() -> Optional.ofNullable(client.get(new DeviceClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())));
    }

    /**
     * Whether this operator created the class. Labels are not enough to tell, since a copy of the manifest has the same labels; the API
     * server records the field manager that applied the class.
     */
    static boolean isOurs(DeviceClass existing) {
        return Labels.OPERATOR.equals(label(existing, Labels.MANAGED_BY))
                && existing.getMetadata().getManagedFields().stream()
                        .anyMatch(fields ->
                                Labels.OPERATOR.equals(fields.getManager()) && "Apply".equals(fields.getOperation()));
    }

    /** Whether another driver needs a class of the same name. Otherwise each would replace the other's class without end. */
    private boolean isOfAnotherDriver(DeviceClass existing, String driver) {
        String other = label(existing, DRIVER_LABEL);
        return other != null
                && !other.equals(driver)
                && desired(other).containsKey(existing.getMetadata().getName());
    }

    private boolean isStored(DeviceClass existing, VendorDeviceClasses.Content content) {
        String extendedResource = existing.getSpec().getExtendedResourceName();
        return ClaimReader.read(existing).selectors().equals(List.of(content.selector()))
                && (Objects.equals(extendedResource, content.extendedResourceName())
                        || (extendedResource == null
                                && droppedExtendedResource.contains(
                                        existing.getMetadata().getName())));
    }

    private void delete(DeviceClass deviceClass) {
        client.delete(deviceClass);
        cluster.deviceClasses().deleted(deviceClass);
    }

    private static @Nullable String label(DeviceClass deviceClass, String label) {
        return Objects.requireNonNullElse(deviceClass.getMetadata().getLabels(), Map.<String, String>of())
                .get(label);
    }
}
