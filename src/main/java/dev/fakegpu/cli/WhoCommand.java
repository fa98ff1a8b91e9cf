package dev.fakegpu.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.holdings.Gpu;
import dev.fakegpu.holdings.HeldClaim;
import dev.fakegpu.holdings.Holdings;
import dev.fakegpu.holdings.HoldingsJson;
import dev.fakegpu.holdings.HoldingsText;
import dev.fakegpu.snapshot.ClusterSnapshot;
import dev.fakegpu.snapshot.Scheduler;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fakegpu who}: tells who holds which device, and how many more fit. */
@Command(
        name = "who",
        mixinStandardHelpOptions = true,
        description = {
            "Tell who holds which device, the mode of each GPU, and what is excluded by what is held; or, with --free, how many more"
                    + " claims fit at once.",
            "Reads the cluster and writes nothing. Works for the devices of any DRA driver, without the operator, and with the rights of"
                    + " whoever calls it: what those do not show is named on standard error."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success; with --free: at least one more fits",
            "1:the input is invalid, or the cluster cannot be read",
            "2:the command line is invalid",
            "3:with --free: no more fit"
        },
        footer = {
            "%nExamples:",
            "  fakegpu who",
            "  fakegpu who -g claim -n team-a",
            "  fakegpu who --free mig-1g.5gb",
            "  fakegpu who --free -f claim.yaml -o json"
        })
final class WhoCommand implements Callable<Integer> {

    private static final int NO_ROOM = 3;
    private static final long WATCH_MILLIS = 2_000;

    private enum Format {
        text,
        wide,
        json
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
            description = "Look again every two seconds, and print again what has changed, until interrupted.")
    private boolean watch;

    @Option(
            names = "--free",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "CLASS|TYPE",
            description =
                    "Tell how many more claims for one device of this DeviceClass or partition type fit at once; with -f, how many"
                            + " more copies of the claims in a file.")
    private @Nullable String free;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description =
                    "With --free: a file with ResourceClaims or ResourceClaimTemplates, which one pod would use together.")
    private List<String> files = List.of();

    @Mixin
    private final GateOption gate = new GateOption();

    private final Clock clock = Clock.systemUTC();

    @Override
    public Integer call() throws JsonProcessingException, InterruptedException {
        if (!files.isEmpty() != "".equals(free)) {
            throw new ParameterException(
                    spec.commandLine(), "--free needs either the name of a class or type, or claims in a file (-f)");
        }
        String before = "";
        while (true) {
            Report report = report();
            if (!report.text().equals(before)) {
                PrintWriter out = spec.commandLine().getOut();
                out.println((before.isEmpty() ? "" : System.lineSeparator()) + report.text());
                out.flush();
                before = report.text();
            }
            if (!watch) {
                return report.exitCode();
            }
            Thread.sleep(WATCH_MILLIS);
        }
    }

    private record Report(String text, int exitCode) {}

    private Report report() throws JsonProcessingException {
        ClusterSource.Source cluster = source.read(spec.commandLine().getErr());
        if (free == null) {
            return new Report(holdings(cluster), ExitCode.OK);
        }
        var answer = new FreeAnswer(cluster.snapshot(), gate.orOn(spec.commandLine()), free);
        FreeAnswer.Result result = files.isEmpty() ? answer.ofName() : answer.ofFiles(files, cluster.namespace());
        String text = format == Format.json ? json(result.json()) : String.join(System.lineSeparator(), result.text());
        return new Report(text, result.anyRoom() ? ExitCode.OK : NO_ROOM);
    }

    private String holdings(ClusterSource.Source cluster) throws JsonProcessingException {
        ClusterSnapshot snapshot = cluster.snapshot();
        List<Slice> slices = snapshot.slices().stream()
                .map(slice -> snapshot.scheduler(slice) == Scheduler.COMPANION ? slice.withGroups() : slice.asStored())
                .toList();
        List<HeldClaim> claims = HeldClaims.of(snapshot);
        List<Gpu> gpus = Holdings.of(slices, claims);
        if (source.isNamespaceGiven()) {
            gpus = Holdings.heldIn(cluster.namespace(), gpus);
        }
        if (format == Format.json) {
            return json(HoldingsJson.of(gpus));
        }
        var text = new HoldingsText(gpus, clock.instant());
        List<String> lines = switch (groupBy) {
            case gpu -> text.byGpu(format == Format.wide ? HoldingsText.Detail.WIDE : HoldingsText.Detail.SHORT);
            case node -> text.byNode();
            case namespace -> text.byNamespace();
            case claim -> text.byClaim();
            case pod -> text.byPod();
        };
        return String.join(System.lineSeparator(), lines);
    }

    private static String json(Object value) throws JsonProcessingException {
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(value);
    }
}
