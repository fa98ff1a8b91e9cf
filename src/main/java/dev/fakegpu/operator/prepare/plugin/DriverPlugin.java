package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.operator.prepare.DeviceHealths;
import dev.fakegpu.util.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One DRA driver of the node: prepares the claims of its pods, and reports the health of its devices. */
final class DriverPlugin implements ServedDrivers.Driver {

    private static final Logger LOG = Logger.getLogger(DriverPlugin.class);

    private final PluginPaths paths;
    private final ClaimPreparer preparer;
    private final HealthService health;
    private final CallListener listener;
    private final RegistrationReport registrations;
    private final Ticker ticker;
    private @Nullable UnixServer driver;
    private @Nullable UnixServer registration;

    /**
     * @param healths the health of the driver's devices
     * @param listener is notified of the kubelet's calls
     * @param registrations is notified whether the kubelet has registered the driver
     */
    DriverPlugin(
            PluginPaths paths,
            ClaimPreparer preparer,
            Supplier<Map<DeviceId, DeviceHealths.Health>> healths,
            CallListener listener,
            RegistrationReport registrations,
            Clock clock,
            Ticker ticker) {
        this.paths = paths;
        this.preparer = preparer;
        this.health = new HealthService(healths, clock);
        this.listener = listener;
        this.registrations = registrations;
        this.ticker = ticker;
    }

    @Override
    public void start() throws IOException {
        Path driverSocket = paths.driverSocket();
        Path registrationSocket = paths.registrationSocket();
        DurableFiles.createDirectories(paths.data());
        health.start();
        // Under the lock, so that a socket that another plugin is about to serve does not look dead.
        try (var state = NodeState.open(paths)) {
            state.tidy();
            listener.prepared(state.checkpoint().devicesByType());
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
        var service = new DriverService(preparer, listener, ticker);
        driver = UnixServer.start(
                driverSocket, List.of(service.v1(), service.v1beta1(), health.v1(), health.v1alpha1()));
        // Last, because the kubelet calls as soon as it sees this socket.
        registration = UnixServer.start(
                registrationSocket,
                List.of(new RegistrationService(
                        paths.driver(),
                        driverSocket,
                        Stream.concat(DriverService.NAMES.stream(), HealthService.NAMES.stream())
                                .toList(),
                        isRegistered -> registrations.set(paths.driver(), isRegistered))));
    }

    @Override
    public boolean serves() {
        return SocketProbe.answer(paths.registrationSocket(), paths.driverSocket());
    }

    @Override
    public boolean isInUse() throws IOException {
        return preparer.awaitsUnpreparation();
    }

    @Override
    public void removeAbandoned() throws IOException {
        preparer.removeAbandoned();
    }

    @Override
    public void healthChanged() {
        health.changed();
    }

    /** Stops serving; claims stay prepared for the next plugin, which takes over. */
    @Override
    public void close() throws IOException {
        registrations.set(paths.driver(), false);
        if (registration != null) {
            registration.close();
        }
        health.close();
        if (driver != null) {
            driver.close();
        }
    }
}
