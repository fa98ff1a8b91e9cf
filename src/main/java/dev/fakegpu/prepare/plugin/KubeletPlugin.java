package dev.fakegpu.prepare.plugin;

import dev.fakegpu.client.Informers;
import dev.fakegpu.client.UnreadableFields;
import dev.fakegpu.dra.ClaimNaming;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.prepare.DeviceHealths;
import dev.fakegpu.prepare.fault.FaultInjectingCalls;
import dev.fakegpu.watch.ObjectStore;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The DRA driver of a node with a kubelet: prepares the claims of its pods, and reports the health of its devices. */
public final class KubeletPlugin implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(KubeletPlugin.class);

    /**
     * Settings of a plugin.
     *
     * @param driver the DRA driver's name
     * @param node the Node's name
     * @param kubeletRoot the kubelet's {@code --root-dir}
     * @param cdiDirectory the container runtime's directory of CDI files
     * @param instance the UID of the plugin's pod, which allows a new plugin to start before the old one ends; null if the old one always
     *     ends first
     * @param naming which claims of others the reason of a failed preparation names
     */
    public record Options(
            String driver,
            String node,
            Path kubeletRoot,
            Path cdiDirectory,
            @Nullable String instance,
            ClaimNaming naming) {}

    private final PluginPaths paths;
    private final ClaimPreparer preparer;
    private final HealthService health;
    private final List<SharedIndexInformer<ResourceSlice>> slices;
    private @Nullable UnixServer driver;
    private @Nullable UnixServer registration;

    public KubeletPlugin(Options options, KubernetesClient client, InventoryPlanner planner, Clock clock) {
        this.paths = new PluginPaths(
                options.kubeletRoot().toAbsolutePath(),
                options.cdiDirectory().toAbsolutePath(),
                options.driver(),
                options.instance());
        this.preparer = new ClaimPreparer(
                paths,
                new ApiServerAccess(client, planner, options.driver(), options.node(), clock),
                new FaultInjectingCalls(clock),
                options.naming());
        var published = new ObjectStore<ResourceSlice>();
        this.health = new HealthService(() -> healths(published), clock);
        published.addListener((before, after) -> health.changed());
        this.slices = ApiServerAccess.nodeNames(options.node())
                .map(nodeName -> client.resources(ResourceSlice.class)
                        .withField("spec.nodeName", nodeName)
                        .withField("spec.driver", options.driver())
                        .runnableInformer(0))
                .toList();
        slices.forEach(informer -> Informers.retryForever(informer).addEventHandler(published));
    }

    private static Map<DeviceId, DeviceHealths.Health> healths(ObjectStore<ResourceSlice> slices) {
        return DeviceHealths.of(slices.list().stream()
                .filter(UnreadableFields::isReadable)
                .map(SliceReader::read)
                .toList());
    }

    /**
     * Serves the kubelet until it is closed.
     *
     * @throws IOException if the state of an earlier plugin cannot be read or a socket cannot be created
     */
    public void start() throws IOException {
        Path driverSocket = paths.driverSocket();
        Path registrationSocket = paths.registrationSocket();
        DurableFiles.createDirectories(paths.data());
        Files.createDirectories(paths.cdiDirectory());
        Files.createDirectories(paths.registry());
        // Not awaited: health needs the API server, but claims that are already prepared do not.
        slices.forEach(SharedIndexInformer::start);
        health.start();
        // Under the lock: a socket that another plugin is about to serve must not look dead.
        try (var state = NodeState.open(paths)) {
            state.tidy();
            deleteDeadSockets(paths.data(), paths.registry());
            listen(driverSocket, registrationSocket);
        }
        LOG.infof(
                "driver %s listens at %s, which the kubelet finds by %s",
                paths.driver(), driverSocket, registrationSocket);
    }

    private void deleteDeadSockets(Path... directories) throws IOException {
        for (Path directory : directories) {
            try (var files = Files.list(directory)) {
                for (Path socket : files.filter(paths::isOfDriver).toList()) {
                    UnixServer.deleteIfDead(socket);
                }
            }
        }
    }

    private void listen(Path driverSocket, Path registrationSocket) throws IOException {
        var service = new DriverService(preparer);
        driver = UnixServer.start(
                driverSocket, List.of(service.v1(), service.v1beta1(), health.v1(), health.v1alpha1()));
        // Last, since the kubelet calls as soon as it sees this socket.
        registration = UnixServer.start(
                registrationSocket,
                List.of(new RegistrationService(
                        paths.driver(),
                        driverSocket,
                        Stream.concat(DriverService.NAMES.stream(), HealthService.NAMES.stream())
                                .toList())));
    }

    /** Whether both sockets respond. */
    public boolean serves() {
        return SocketProbe.answer(paths.registrationSocket(), paths.driverSocket());
    }

    /** Claims stay prepared: the next plugin takes over. */
    @Override
    public void close() throws IOException {
        if (registration != null) {
            registration.close();
        }
        health.close();
        if (driver != null) {
            driver.close();
        }
        slices.forEach(SharedIndexInformer::stop);
    }
}
