package dev.fakegpu.cli;

import dev.fakegpu.cli.input.GivenSlices;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.matrix.Matrix;
import dev.fakegpu.engine.matrix.MatrixText;
import dev.fakegpu.hardware.slices.PoolLocations;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fakegpu matrix}: prints which devices can be allocated together. */
@Command(
        name = "matrix",
        mixinStandardHelpOptions = true,
        description = {
            "Print which devices of FakeGpus or ResourceSlices can be allocated together: a table for each counter set, and warnings"
                    + " about questionable declarations.",
            "Considers compatibility groups and counters, and ignores taints, selectors and nodes.",
            "Needs no cluster. Knows the models of the built-in catalog, and those of ConfigMaps with the label fakegpu.dev/catalog=true that"
                    + " are among the files."
        },
        exitCodeList = {"0:success", "1:the command line or the input is invalid", "2:with --strict: there are warnings"
        },
        exitCodeOnInvalidInput = ExitCode.SOFTWARE,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu matrix -f config/samples/10-all-partitions-of-a-gpu/10.FakeGpu.a100.yaml",
            "  fakegpu matrix -f config/samples/11-groups-of-your-own/ --devices 'gpu-0,gpu-0-mig-*' --strict"
        })
final class MatrixCommand implements Callable<Integer> {

    private static final int QUESTIONABLE = 2;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Mixin
    private Manifests manifests = new Manifests();

    @Option(names = "--strict", description = "Exit with 2 if there are warnings.")
    private boolean strict;

    @Option(
            names = "--devices",
            paramLabel = "NAME",
            split = ",",
            description = {
                "Show only these devices in the tables, by the names in the column DEVICES; * stands for any text. Tables that are wider"
                        + " than 120 columns are broken into parts."
            })
    private List<String> devices = List.of();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Matrix matrix = Matrix.of(slices());
        MatrixText.lines(narrowed(matrix)).forEach(out::println);
        out.flush();
        return strict && !matrix.lints().isEmpty() ? QUESTIONABLE : ExitCode.OK;
    }

    private Matrix narrowed(Matrix matrix) {
        if (devices.isEmpty()) {
            return matrix;
        }
        List<Pattern> patterns = devices.stream().map(MatrixCommand::pattern).toList();
        return matrix.narrowed(kind ->
                patterns.stream().anyMatch(pattern -> pattern.matcher(kind).matches()));
    }

    /** A pattern in which {@code *} stands for any text. Names of kinds contain {@code *} themselves, and are matched as well. */
    private static Pattern pattern(String name) {
        return Pattern.compile(
                Arrays.stream(name.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }

    /** For FakeGpus, returns the slices of the first node, since all nodes have the same devices. */
    private List<Slice> slices() {
        List<Slice> slices = GivenSlices.of(manifests.read(), PoolLocations::first, spec);
        if (slices.isEmpty()) {
            throw new InvalidInputException("there is no FakeGpu or ResourceSlice to look at");
        }
        return slices;
    }
}
