package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.kube.client.Informers;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.Pages;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.operator.prepare.DeviceHealths;
import dev.fakegpu.operator.prepare.fault.FaultInjectingCalls;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The DRA drivers of a node with a kubelet: one for each driver whose devices FakeGpus publish for the node. The plugin learns this from
 * the slices, so it does not have to know which nodes a FakeGpu selects, and needs no permission to read nodes.
 */
public final class KubeletPlugin implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(KubeletPlugin.class);

    /** How often the drivers are checked without a change of slices: some end, and failures are retried. */
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    /** How often the prepared claims are compared with those that exist, which takes a request for each. */
    private static final Duration COMPARISON_INTERVAL = Duration.ofMinutes(2);

    /**
     * The settings of a plugin.
     *
     * @param drivers the only DRA drivers to serve; empty for all
     * @param node the name of the Node
     * @param kubeletRoot the kubelet's {@code --root-dir}
     * @param cdiDirectory the container runtime's directory of CDI files
     * @param instance the UID of the plugin's pod, which allows a new plugin to start before the old one ends; null if the old one always
     *     ends first
     * @param pod namespace and name of the plugin's pod, whose status reports the registered drivers; null if it does not run in a pod
     * @param naming which claims of others may be named when a preparation fails
     */
    public record Options(
            Set<String> drivers,
            String node,
            Path kubeletRoot,
            Path cdiDirectory,
            @Nullable String instance,
            @Nullable ObjectMeta pod,
            ClaimNaming naming) {

        private PluginPaths paths(String driver) {
            return new PluginPaths(kubeletRoot.toAbsolutePath(), cdiDirectory.toAbsolutePath(), driver, instance);
        }

        private boolean allow(String driver) {
            return drivers.isEmpty() || drivers.contains(driver);
        }
    }

    private final Options options;
    private final KubernetesClient client;
    private final InventoryPlanner planner;
    private final Clock clock;
    private final Ticker ticker;
    private final PluginMetrics metrics;
    private final ObjectStore<ResourceSlice> published = new ObjectStore<>();
    private final List<SharedIndexInformer<ResourceSlice>> slices;
    private final EventRecorder events;
    private final ClaimStatusWrites statuses;
    private final RegistrationReport registrations;
    private final ServedDrivers drivers;
    private final CoalescingWorker worker;
    private final ScheduledExecutorService timer = TaskExecutors.THREADS.named("served-drivers-timer", 2);

    /** @param meters the registry for the metrics of the served drivers */
    public KubeletPlugin(
            Options options,
            KubernetesClient client,
            InventoryPlanner planner,
            MeterRegistry meters,
            Clock clock,
            Ticker ticker) {
        this.options = options;
        this.client = client;
        this.planner = planner;
        this.clock = clock;
        this.ticker = ticker;
        this.metrics = new PluginMetrics(meters, options.node());
        this.events = new EventRecorder(client, clock, ticker, "fakegpu-kubelet-plugin");
        this.statuses = new ClaimStatusWrites(
                claim -> ApiServerAccess.claim(client, claim.namespace(), claim.name()),
                events,
                ticker,
                TaskExecutors.THREADS);
        this.registrations = new RegistrationReport(ObjectClient.of(client), options.pod(), clock, ticker);
        this.drivers = new ServedDrivers(this::publishedDrivers, this::driver, ticker);
        this.worker = new CoalescingWorker("served-drivers", drivers::update);
        this.slices = ApiServerAccess.nodeNames(options.node())
                .map(nodeName -> Informers.of(
                        client.resources(ResourceSlice.class)
                                .withLabel(Labels.FAKEGPU)
                                .withField("spec.nodeName", nodeName),
                        Pages.SMALL))
                .toList();
        slices.forEach(informer -> informer.addEventHandler(published));
        published.addListener(this::sliceChanged);
    }

    private ServedDrivers.Driver driver(String name) {
        var paths = options.paths(name);
        var listener = metrics.of(name);
        var preparer = new ClaimPreparer(
                paths,
                new ApiServerAccess(client, planner, name, options.node(), this::devices, events, statuses, clock),
                new FaultInjectingCalls(ticker),
                options.naming(),
                listener,
                ticker);
        return new DriverPlugin(paths, preparer, () -> healths(name), listener, registrations, clock, ticker);
    }

    private void sliceChanged(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        worker.request();
        Stream.of(Optional.ofNullable(before), Optional.ofNullable(after))
                .flatMap(slice -> slice.flatMap(KubeletPlugin::driverOf).stream())
                .distinct()
                .forEach(drivers::healthChanged);
    }

    /** Returns empty until all slices have been listed once. */
    private Optional<Set<String>> publishedDrivers() {
        if (!slices.stream().allMatch(SharedIndexInformer::hasSynced)) {
            return Optional.empty();
        }
        return Optional.of(published.list().stream()
                .filter(slice -> FakeGpuOwner.name(slice).isPresent())
                .flatMap(slice -> driverOf(slice).stream())
                .filter(options::allow)
                .collect(Collectors.toSet()));
    }

    private static Optional<String> driverOf(ResourceSlice slice) {
        return Optional.ofNullable(slice.getSpec()).map(spec -> spec.getDriver());
    }

    private Map<DeviceId, DeviceHealths.Health> healths(String driver) {
        return DeviceHealths.of(
                readable().filter(slice -> slice.pool().driver().equals(driver)).toList());
    }

    private Set<DeviceId> devices() {
        return readable()
                .flatMap(slice ->
                        slice.devices().stream().map(device -> slice.pool().device(device.name())))
                .collect(Collectors.toSet());
    }

    private Stream<Slice> readable() {
        return published.list().stream().filter(UnreadableFields::isReadable).map(SliceReader::read);
    }

    /**
     * Serves the kubelet until it is closed.
     *
     * @throws IOException if a directory of the node cannot be read or created
     */
    public void start() throws IOException {
        Files.createDirectories(options.cdiDirectory());
        Files.createDirectories(PluginPaths.registry(options.kubeletRoot()));
        registrations.start();
        // Does not wait for slices, because claims that are already prepared do not need the API server.
        slices.forEach(SharedIndexInformer::start);
        drivers.start(PreparedDrivers.find(options.kubeletRoot(), options::paths).stream()
                .filter(options::allow)
                .toList());
        repeat(worker::request, INTERVAL, INTERVAL);
        repeat(drivers::removeAbandoned, Duration.ZERO, COMPARISON_INTERVAL);
        LOG.infof(
                "the drivers of all FakeGpus on node %s are served%s",
                options.node(),
                options.drivers().isEmpty()
                        ? ""
                        : ", as far as they are among " + String.join(", ", options.drivers()));
    }

    private void repeat(Runnable task, Duration first, Duration interval) {
        var unused = timer.scheduleWithFixedDelay(task, first.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether the sockets of all served drivers respond. */
    public boolean serves() {
        return drivers.respond();
    }

    /** Stops serving; claims stay prepared for the next plugin, which takes over. */
    @Override
    public void close() {
        timer.shutdownNow();
        worker.close();
        registrations.close();
        drivers.close();
        statuses.close();
        slices.forEach(SharedIndexInformer::stop);
    }
}
