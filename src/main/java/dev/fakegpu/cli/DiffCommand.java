package dev.fakegpu.cli;

import dev.fakegpu.dra.Slice;
import dev.fakegpu.importer.PoolsDiff;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fakegpu diff}: compares what two files publish. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        description = {
            "Compare what the FakeGpus or ResourceSlices of two files mean: which pools there are, for which nodes, with which devices and"
                    + " counter sets.",
            "Names of slices, their number and how devices are distributed over them make no difference; the order of devices does, since"
                    + " allocators take the first that fits. Needs no cluster."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:both mean the same", "1:the command line or the input is invalid", "2:there are differences"
        },
        exitCodeOnInvalidInput = ExitCode.SOFTWARE)
final class DiffCommand implements Callable<Integer> {

    private static final int DIFFERENT = 2;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "FIRST",
            description = "A file with FakeGpus or ResourceSlices; - is standard input.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private String first;

    @Parameters(index = "1", paramLabel = "SECOND", description = "The file that is compared with it.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private String second;

    @Override
    public Integer call() {
        PoolsDiff.Result result = PoolsDiff.between(slices(first), slices(second));
        PrintWriter err = spec.commandLine().getErr();
        result.notes().forEach(note -> err.println("fakegpu: note: " + note));
        PrintWriter out = spec.commandLine().getOut();
        result.differences().forEach(out::println);
        out.println(
                result.differences().isEmpty()
                        ? "equal: " + number(result.equalPools(), "pool")
                        : number(result.differences().size(), "difference") + "; "
                                + number(result.equalPools(), "equal pool"));
        out.flush();
        return result.differences().isEmpty() ? ExitCode.OK : DIFFERENT;
    }

    private List<Slice> slices(String file) {
        List<Slice> slices = GivenSlices.of(Manifests.read(List.of(file)), UnaryOperator.identity(), spec);
        if (slices.isEmpty()) {
            throw new InvalidInputException(file + ": there is no FakeGpu or ResourceSlice to compare");
        }
        return slices;
    }

    private static String number(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
