package dev.fakegpu.cli;

import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.cli.input.SimulationInput;
import dev.fakegpu.cli.input.YamlDrafts;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.dashboard.server.Admission;
import dev.fakegpu.dashboard.server.AsUser;
import dev.fakegpu.dashboard.server.DashboardFeed;
import dev.fakegpu.dashboard.server.DashboardReader;
import dev.fakegpu.dashboard.server.DashboardServer;
import dev.fakegpu.dashboard.server.DraftReader;
import dev.fakegpu.dashboard.server.FeedPool;
import dev.fakegpu.dashboard.server.Play;
import dev.fakegpu.dashboard.server.Plays;
import dev.fakegpu.dashboard.server.StoredCluster;
import dev.fakegpu.dashboard.server.WatchedCluster;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.operator.publish.DeferredChanges;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.memory.SimulationException;
import dev.fakegpu.simulate.scenario.ScenarioManifest;
import dev.fakegpu.util.HostPort;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jboss.logmanager.handlers.ConsoleHandler;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fakegpu dashboard}: serves a page that shows what each GPU is doing. */
@Command(
        name = "dashboard",
        mixinStandardHelpOptions = true,
        description = {
            "Show in a browser what each GPU is doing, which pods are waiting and why, and what would help. The page follows the"
                    + " cluster until the command is interrupted.",
            "Watches the cluster and writes nothing. Works for the devices of any DRA driver, without the operator, and"
                    + " with the permissions of the caller. Everyone who can reach the address sees what the caller may see.",
            "With --scenario it needs no cluster: the page plays a scenario, or the objects of files, in memory, step by step."
        },
        exitCodeList = {
            "0:the command was interrupted",
            "1:the cluster or the scenario cannot be read, or the port is in use",
            "2:the command line is invalid"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu dashboard",
            "  fakegpu dashboard --context staging --port 9000",
            "  fakegpu dashboard --scenario config/samples/kep-5963.scenario.yaml --compare gate=On,Off"
        })
final class DashboardCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8088",
            description = "The port; 0 for any free port (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "The address of this machine on which the page is served (default: ${DEFAULT-VALUE}).")
    private String address = "127.0.0.1";

    @Option(
            names = "--as-user",
            description =
                    "Show each caller the names that the caller may list in the cluster. Requests need a bearer token of the"
                            + " cluster in the header Authorization, which a proxy before the page passes on.")
    private boolean asUser;

    @Option(
            names = "--scenario",
            paramLabel = "FILE",
            description =
                    "Play this scenario, or the objects of this file or folder, in memory instead of watching a cluster. The other options are those of fakegpu simulate; --gate also applies to a cluster.")
    private @Nullable String scenario;

    @Mixin
    private final SimulatedWorlds worlds = new SimulatedWorlds();

    @Override
    public Integer call() {
        String file = scenario;
        return file == null ? cluster.withWholeObjects(this::watch) : play(file);
    }

    private int watch(KubernetesClient client, String namespace) {
        var watched = new WatchedCluster(client, namespace);
        PendingChanges changes =
                new DeferredChanges(() -> watched.objects().fakeGpus(), new InventoryPlanner(Catalog.builtIn()));
        KubernetesVersion version = cluster.version(this::note);
        var reader = new DashboardReader(String.valueOf(client.getMasterUrl()), changes, gate(), () -> version);
        var drafts = new YamlDrafts(namespace, version);
        return serve(vertx -> admission(vertx, client, drafts, watched, reader));
    }

    /** The gate of the API server is read only once, because it is queried for each picture. */
    private GateSources gate() {
        if (spec.commandLine().getParseResult().hasMatchedOption("--gate")) {
            return GateSources.chosen(worlds.options().settings().gate());
        }
        Optional<GroupsGate> ofApiServer = cluster.apiServerGate();
        return new GateSources(Optional.empty(), () -> ofApiServer);
    }

    /** Plays it next to an empty cluster, of which the page shows nothing. */
    private int play(String file) {
        var played = new Play(String.valueOf(Path.of(file).getFileName()), played(file));
        var nothing = new StoredCluster(new Simulation(SimulationOptions.DEFAULT).stores(), () -> true);
        var reader = new DashboardReader("", PendingChanges.NONE);
        return serve(vertx -> Admission.everybody(new DashboardFeed(
                nothing, reader, DraftReader.NONE, Plays.with(played), Clock.systemUTC(), Ticker.SYSTEM, 0)));
    }

    private List<Play.World> played(String file) {
        List<Manifest> given = Manifests.read(List.of(file));
        try {
            return worlds
                    .of((mixins, server, notes) -> SimulationInput.of(given, mixins, server, notes), this::note)
                    .stream()
                    .map(world -> new Play.World(world.title(), world.options(), steps(world.input())))
                    .toList();
        } catch (SimulationException e) {
            throw InvalidInputException.about(given, e.messages());
        }
    }

    private static List<ScenarioManifest.Step> steps(SimulationInput input) {
        return Stream.concat(
                        Play.steps(input.objects()).stream(),
                        input.scenarios().stream().flatMap(scenario -> scenario.steps().stream()))
                .toList();
    }

    private void note(String text) {
        spec.commandLine().getErr().println("fakegpu: " + text);
    }

    private int serve(Function<Vertx, Admission> admissions) {
        ConsoleLogging.startForUser(ConsoleHandler.Target.SYSTEM_OUT);
        Vertx vertx = Vertx.vertx();
        try (Admission admission = admissions.apply(vertx);
                var server = new DashboardServer(vertx, new InetSocketAddress(address, port), admission)) {
            spec.commandLine()
                    .getOut()
                    .println("The page is at http://%s/ until you interrupt the command (Ctrl-C)."
                            .formatted(HostPort.of(address, server.port())));
            spec.commandLine().getOut().flush();
            new CountDownLatch(1).await();
            return ExitCode.OK;
        } catch (IllegalStateException | IllegalArgumentException e) { // the latter for a port above 65535
            throw new InvalidInputException(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.OK;
        } finally {
            var ignored = vertx.close();
        }
    }

    private Admission admission(
            Vertx vertx, KubernetesClient client, YamlDrafts drafts, WatchedCluster watched, DashboardReader reader) {
        Clock clock = Clock.systemUTC();
        return asUser
                ? new AsUser(
                        new FeedPool(watched, reader, clock, Ticker.SYSTEM),
                        watched,
                        vertx,
                        client.getConfiguration(),
                        Ticker.SYSTEM)
                : Admission.everybody(new DashboardFeed(watched, reader, drafts, clock, Ticker.SYSTEM));
    }
}
