package dev.fakegpu.cli;

import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cluster.fit.AdvertisedTwice;
import dev.fakegpu.cluster.holdings.Gpu;
import dev.fakegpu.cluster.holdings.HeldClaim;
import dev.fakegpu.cluster.holdings.Holdings;
import dev.fakegpu.cluster.holdings.HoldingsJson;
import dev.fakegpu.cluster.holdings.HoldingsText;
import dev.fakegpu.cluster.holdings.PodGroupState;
import dev.fakegpu.cluster.pending.PodGroups;
import dev.fakegpu.cluster.snapshot.ClusterHoldings;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.util.TextWrap;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jboss.logmanager.handlers.ConsoleHandler;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fakegpu who}: prints who holds which device, and how many more claims fit. */
@Command(
        name = "who",
        mixinStandardHelpOptions = true,
        description = {
            "Show which claims and pods hold each device, the mode of each GPU, and what held devices exclude; or, with --free, how many"
                    + " more claims fit at once.",
            "Reads the cluster and writes nothing. Works for the devices of any DRA driver, without the operator, and with the permissions of"
                    + " the caller; standard error lists what the caller may not read.",
            "Shows the claims of all namespaces, or with -n only the devices that claims of that namespace hold."
        },
        exitCodeList = {
            "0:success; with --free: at least one more fits",
            "1:the input is invalid, the cluster cannot be read, or the caller may not list what the answer is about",
            "2:the command line is invalid",
            "3:with --free: no more fit"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu who",
            "  fakegpu who -g claim -n team-a",
            "  fakegpu who --free gpu.example.com",
            "  fakegpu who --free -f config/samples/04-overlapping-groups/20.ResourceClaim.foo.yaml -o json"
        })
final class WhoCommand implements Callable<Integer> {

    private static final int NO_ROOM = 3;

    private enum Format {
        text,
        wide,
        json,
        yaml,
        name
    }

    private enum GroupBy {
        gpu,
        node,
        namespace,
        claim,
        pod
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Mixin
    private final ClusterSource source = new ClusterSource();

    /** All namespaces are also the default, unless {@code -n} is set. */
    @Mixin
    private final AllNamespacesOption allNamespaces = new AllNamespacesOption();

    @Option(
            names = {"-g", "--group-by"},
            paramLabel = "WHAT",
            defaultValue = "gpu",
            description = "One row for each ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private GroupBy groupBy = GroupBy.gpu;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.text;

    @Option(
            names = "--watch",
            description = "Watch the cluster, and print the answer again whenever it has changed, until interrupted.")
    private boolean watch;

    @Option(
            names = "--free",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "CLASS|TYPE",
            description =
                    "Show how many more claims for one device of this DeviceClass or partition type fit at once; with -f, how many"
                            + " more copies of the claims in a file.")
    private @Nullable String free;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description =
                    "With --free: a file with ResourceClaims or ResourceClaimTemplates that one pod would use together.")
    private List<String> files = List.of();

    @Mixin
    private final GateOption gate = new GateOption();

    @Mixin
    private final MixinsOption mixins = new MixinsOption();

    private final Clock clock = Clock.systemUTC();

    @Override
    public Integer call() {
        if (!files.isEmpty() != "".equals(free)) {
            throw new ParameterException(
                    spec.commandLine(), "--free needs either the name of a class or type, or claims in a file (-f)");
        }
        if (watch && source.isFromFiles()) {
            throw new ParameterException(spec.commandLine(), "--watch needs a cluster, not files (--from)");
        }
        if (!watch) {
            Report report = source.with(spec.commandLine().getErr(), mixins.gate(), this::report);
            print(report.lines());
            return report.exitCode();
        }
        watch();
        return ExitCode.OK;
    }

    private void watch() {
        // The client logs if the API server no longer responds.
        ConsoleLogging.startForUser(ConsoleHandler.Target.SYSTEM_ERR);
        var last = new AtomicReference<>(List.<String>of());
        source.watch(spec.commandLine().getErr(), cluster -> {
            List<String> lines = report(cluster).lines();
            List<String> before = last.getAndSet(lines);
            if (!lines.equals(before)) {
                if (!before.isEmpty()) {
                    spec.commandLine().getOut().println();
                }
                print(lines);
            }
        });
    }

    private void print(List<String> lines) {
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        out.flush();
    }

    private record Report(List<String> lines, int exitCode) {}

    private Report report(ClusterSource.Source cluster) {
        unknown(cluster).ifPresent(reason -> {
            throw new InvalidInputException(reason);
        });
        if (free == null) {
            return new Report(lines(holdings(cluster)), ExitCode.OK);
        }
        var answer = new FreeAnswer(cluster.snapshot(), gate.sources(spec.commandLine(), source::apiServerGate), free);
        FreeAnswer.Result result = files.isEmpty() ? answer.ofName() : answer.ofFiles(files, cluster.namespace());
        var answers = new AnswerOutput.Answers(result::text, result::json, () -> {
            throw new ParameterException(spec.commandLine(), "-o name cannot be used with --free");
        });
        return new Report(lines(answers), result.anyRoom() ? ExitCode.OK : NO_ROOM);
    }

    private List<String> lines(AnswerOutput.Answers answers) {
        return answers.lines(
                format == Format.wide ? AnswerOutput.Format.text : AnswerOutput.Format.valueOf(format.name()));
    }

    /** Why there is no answer. An empty table or a number would look like one. */
    private Optional<String> unknown(ClusterSource.Source cluster) {
        ClusterObjects objects = cluster.snapshot().objects();
        if (free != null) {
            return ClusterHoldings.unknownRoom(objects);
        }
        if (isOfNamespace()) {
            return ClusterHoldings.unknownIn(cluster.namespace(), objects);
        }
        boolean isOfHolders = format == Format.name
                || groupBy == GroupBy.claim
                || groupBy == GroupBy.pod
                || groupBy == GroupBy.namespace;
        return ClusterHoldings.unknown(objects)
                .or(() -> isOfHolders ? ClusterHoldings.unknownHolders(objects) : Optional.empty());
    }

    private boolean isOfNamespace() {
        return source.isNamespaceGiven() && !allNamespaces.isGiven();
    }

    private AnswerOutput.Answers holdings(ClusterSource.Source cluster) {
        List<Gpu> all = ClusterHoldings.of(cluster.snapshot());
        List<Gpu> gpus = isOfNamespace() ? Holdings.heldIn(cluster.namespace(), all) : all;
        List<PodGroupState> groups = podGroups(cluster);
        List<String> notes = cluster.snapshot().advertisedTwice().stream()
                .map(AdvertisedTwice::sentence)
                .toList();
        return new AnswerOutput.Answers(
                () -> table(gpus, groups, notes), () -> HoldingsJson.of(gpus, groups, notes), () -> holderNames(gpus));
    }

    private List<PodGroupState> podGroups(ClusterSource.Source cluster) {
        return PodGroups.of(cluster.snapshot()).stream()
                .filter(group -> !isOfNamespace() || group.namespace().equals(cluster.namespace()))
                .toList();
    }

    /** The names of the claims or, with {@code -g pod}, of the pods. */
    private List<String> holderNames(List<Gpu> gpus) {
        Stream<HeldClaim> claims =
                gpus.stream().flatMap(gpu -> gpu.holdings().stream()).map(Gpu.Holding::claim);
        Stream<String> names = groupBy == GroupBy.pod
                ? claims.flatMap(claim -> claim.pods().stream()).map(pod -> AnswerOutput.name("Pod", pod))
                : claims.map(
                        claim -> AnswerOutput.name("ResourceClaim", claim.ref().name()));
        return names.distinct().sorted().toList();
    }

    private List<String> table(List<Gpu> gpus, List<PodGroupState> groups, List<String> notes) {
        var lines = new ArrayList<>(table(gpus));
        if (groupBy == GroupBy.gpu && !groups.isEmpty()) {
            lines.add("");
            lines.addAll(HoldingsText.podGroups(groups));
        }
        notes.forEach(note -> lines.addAll(TextWrap.lines("note: ", note)));
        return lines;
    }

    private List<String> table(List<Gpu> gpus) {
        var text = new HoldingsText(gpus, clock.instant());
        return switch (groupBy) {
            case gpu -> text.byGpu(format == Format.wide ? HoldingsText.Detail.WIDE : HoldingsText.Detail.SHORT);
            case node -> text.byNode();
            case namespace -> text.byNamespace();
            case claim -> text.byClaim();
            case pod -> text.byPod();
        };
    }
}
