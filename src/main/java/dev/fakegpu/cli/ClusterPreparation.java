package dev.fakegpu.cli;

import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.kube.client.ClientPreparation;
import java.util.EnumSet;
import java.util.Set;

/**
 * Loads on its own thread what commands that read a cluster need regardless of their arguments, to use idle CPUs. Nothing waits for this
 * thread, and it ends with the command.
 */
final class ClusterPreparation {

    private static final Set<String> COMMANDS = Set.of("explain", "who", "topology", "what-if");

    /** Kinds that most clusters have. */
    private static final Set<ObjectKind> KINDS = EnumSet.of(
            ObjectKind.SLICES,
            ObjectKind.CLASSES,
            ObjectKind.CLAIMS,
            ObjectKind.CLAIM_TEMPLATES,
            ObjectKind.PODS,
            ObjectKind.NODES,
            ObjectKind.NAMESPACES);

    private ClusterPreparation() {}

    /** @param args the arguments of the program */
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
            // The command will have the same problem and report it.
        }
    }
}
