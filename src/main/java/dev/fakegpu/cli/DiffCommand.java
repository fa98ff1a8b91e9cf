package dev.fakegpu.cli;

import dev.fakegpu.cli.input.GivenSlices;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.importer.PoolsDiff;
import dev.fakegpu.hardware.importer.PoolsDiffJson;
import dev.fakegpu.hardware.importer.RenamedNodes;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fakegpu diff}: compares what files and clusters publish. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        description = {
            "Compare the pools that the FakeGpus or ResourceSlices of two files or clusters publish: their nodes, devices and counter sets.",
            "The names and number of slices and the distribution of devices over them do not matter; the order of devices does, because"
                    + " allocators take the first that fits. Needs no cluster for files, and only reads clusters."
        },
        exitCodeList = {
            "0:there are no differences",
            "1:the command line or the input is invalid, or the cluster cannot be read",
            "2:there are differences"
        },
        exitCodeOnInvalidInput = ExitCode.SOFTWARE,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu render -f config/samples/01-mig-devices-share-a-gpu/10.FakeGpu.a100.yaml > before.yaml",
            "  fakegpu diff before.yaml config/samples/03-groups-keep-incompatible-apart/10.FakeGpu.a100.yaml",
            "  fakegpu diff before.yaml context: --node-names a100-node-0",
            "  fakegpu diff before.yaml context: --driver gpu.example.com -o json"
        })
final class DiffCommand implements Callable<Integer> {

    private static final int DIFFERENT = 2;
    private static final String CONTEXT = "context:";

    /** More names of nodes are not printed. */
    private static final int MAX_NAMES = 10;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "FIRST",
            description =
                    "A file with FakeGpus or ResourceSlices, - for standard input, context:NAME for the cluster of a context of the"
                            + " kubeconfig, or context: for that of --context.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private String first;

    @Parameters(
            index = "1",
            paramLabel = "SECOND",
            description = "The file or cluster to compare with it, named in the same way.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private String second;

    @Mixin
    private final ClusterConnection cluster = new ClusterConnection();

    @Option(names = "--driver", paramLabel = "NAME", description = "Compare only the pools of this driver.")
    private @Nullable String driver;

    @Option(
            names = "--node-names",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Compare as if the nodes of FIRST, and pools named after them, had these names, in the order of the old names.")
    private List<String> nodeNames = List.of();

    @Mixin
    private final AnswerOutput output = new AnswerOutput();

    @Override
    public Integer call() {
        List<Slice> before = slices(first);
        List<Slice> after = slices(second);
        PoolsDiff.Result result = PoolsDiff.between(renamed(before, nodeNames), after);
        PrintWriter err = spec.commandLine().getErr();
        result.notes().forEach(note -> err.println("fakegpu: note: " + note));
        if (differOnlyInNodeNames(result, before, after)) {
            err.println("fakegpu: note: the pools differ only in the names of their nodes; compare with --node-names "
                    + namesToCompareWith(RenamedNodes.nodes(after)));
        }
        output.print(
                spec,
                new AnswerOutput.Answers(() -> text(result), () -> PoolsDiffJson.of(result), () -> pools(result)));
        return result.differences().isEmpty() ? ExitCode.OK : DIFFERENT;
    }

    private static List<String> text(PoolsDiff.Result result) {
        var lines = new ArrayList<>(result.differences().stream()
                .map(PoolsDiff.Difference::sentence)
                .toList());
        lines.add(
                lines.isEmpty()
                        ? "equal: " + number(result.equalPools(), "pool")
                        : number(lines.size(), "difference") + "; " + number(result.equalPools(), "equal pool"));
        return lines;
    }

    /** The pools that differ, as {@code driver/pool}. */
    private static List<String> pools(PoolsDiff.Result result) {
        return result.differences().stream()
                .map(difference -> difference.pool().toString())
                .distinct()
                .toList();
    }

    private List<Slice> slices(String source) {
        boolean isCluster = source.startsWith(CONTEXT);
        List<Manifest> given = isCluster
                ? cluster.inContext(source.substring(CONTEXT.length())).manifests(List.of(ResourceSlice.class))
                : Manifests.read(List.of(source));
        List<Slice> slices = GivenSlices.of(given, UnaryOperator.identity(), spec).stream()
                .filter(slice -> driver == null || slice.pool().driver().equals(driver))
                .toList();
        if (slices.isEmpty() && !isCluster) {
            throw new InvalidInputException(source + ": there is no FakeGpu or ResourceSlice to compare");
        }
        return slices;
    }

    private boolean differOnlyInNodeNames(PoolsDiff.Result result, List<Slice> before, List<Slice> after) {
        List<String> names = List.copyOf(RenamedNodes.nodes(after));
        return nodeNames.isEmpty()
                && !result.differences().isEmpty()
                && names.size() == RenamedNodes.nodes(before).size()
                && PoolsDiff.between(renamed(before, names), after)
                        .differences()
                        .isEmpty();
    }

    /** The value of the option, or a description of it if it is too long for a line. */
    static String namesToCompareWith(Set<String> nodes) {
        return nodes.size() <= MAX_NAMES
                ? String.join(",", nodes)
                : "and the names of the %d nodes of SECOND in alphabetical order, separated by commas"
                        .formatted(nodes.size());
    }

    private static List<Slice> renamed(List<Slice> slices, List<String> names) {
        try {
            return names.isEmpty() ? slices : RenamedNodes.rename(slices, names);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("--node-names: " + e.getMessage());
        }
    }

    private static String number(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
