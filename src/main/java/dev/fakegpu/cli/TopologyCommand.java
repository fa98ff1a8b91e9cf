package dev.fakegpu.cli;

import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cluster.snapshot.ClusterHoldings;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fakegpu topology}: draws which devices are close to each other, and who holds them. */
@Command(
        name = "topology",
        mixinStandardHelpOptions = true,
        description = {
            "Draw the devices of each node by NUMA node and PCIe root, with the claims and pods that hold them.",
            "Reads the cluster and writes nothing. Works for the devices of all DRA drivers, without the operator, and with the"
                    + " permissions of the caller; standard error lists what the caller may not read."
        },
        exitCodeList = {
            "0:success",
            "1:the input is invalid, the cluster cannot be read, or the caller may not list what the answer is about",
            "2:the command line is invalid"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  fakegpu topology", "  fakegpu topology --from src/test/resources/golden/cli/topology/cluster.yaml"
        })
final class TopologyCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Mixin
    private final ClusterSource source = new ClusterSource();

    @Mixin
    private final MixinsOption mixins = new MixinsOption();

    @Override
    public void run() {
        List<String> lines = source.with(spec.commandLine().getErr(), mixins.gate(), cluster -> {
            ClusterHoldings.unknown(cluster.snapshot().objects()).ifPresent(reason -> {
                throw new InvalidInputException(reason);
            });
            return ClusterHoldings.topology(cluster.snapshot());
        });
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        out.flush();
    }
}
