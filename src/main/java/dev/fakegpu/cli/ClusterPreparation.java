package dev.fakegpu.cli;

import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.kube.client.ClientPreparation;
import java.util.EnumSet;
import java.util.Set;

/**
 * Does on a thread of its own what commands that read a cluster need, whatever their arguments are: otherwise one processor would do it while
 * others are idle. Nothing waits for it, and a command that ends before ends it.
 */
final class ClusterPreparation {

    private static final Set<String> COMMANDS = Set.of("explain", "who", "topology", "what-if");

    /** Kinds of which most clusters that are explained have objects. */
    private static final Set<ObjectKind> KINDS = EnumSet.of(
            ObjectKind.SLICES,
            ObjectKind.CLASSES,
            ObjectKind.CLAIMS,
            ObjectKind.CLAIM_TEMPLATES,
            ObjectKind.PODS,
            ObjectKind.NODES,
            ObjectKind.NAMESPACES);

    private ClusterPreparation() {}

    /** @param args of the program */
    static void beginFor(String... args) {
        if (args.length > 0
                && COMMANDS.contains(args[0])
                && Runtime.getRuntime().availableProcessors() > 1) {
            var thread = new Thread(ClusterPreparation::run, "preparation");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void run() {
        try {
            ClientPreparation.run(KINDS.stream().map(ObjectKind::type).toList());
            Selectors.shared().compile("device.driver == \"\"");
        } catch (RuntimeException e) {
            // The command will have the same problem, and says so.
        }
    }
}
