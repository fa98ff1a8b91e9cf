package dev.fakegpu.cli.input;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Counts values that are read, and those that are read because of aliases, since a short document with aliases of aliases can stand for
 * a value of any size. The limits are kubectl's ({@code unmarshal} of {@code sigs.k8s.io/yaml/goyaml.v2}). Not thread-safe.
 */
final class YamlAliases {

    private static final long ALWAYS_READ = 1_000;
    private static final long ALWAYS_READ_BY_ALIAS = 100;
    private static final double MANY = 400_000;
    private static final double VERY_MANY = 4_000_000;

    /** The nodes with anchors that were read before. */
    private final Set<Node> known = Collections.newSetFromMap(new IdentityHashMap<>());

    /** The nodes that are read again, and are not complete. */
    private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());

    private long read;
    private long readByAlias;

    /** @return whether the node may be read */
    boolean enter(Node node) {
        if (node.getAnchor().isPresent() && !known.add(node)) {
            count();
            open.add(node);
        }
        count();
        return readByAlias <= ALWAYS_READ_BY_ALIAS || read <= ALWAYS_READ || readByAlias <= share() * read;
    }

    void leave(Node node) {
        open.remove(node);
    }

    private void count() {
        read++;
        readByAlias += open.isEmpty() ? 0 : 1;
    }

    /** The share of values that aliases may stand for ({@code allowedAliasRatio}). */
    private double share() {
        double large = Math.max(0, Math.min(1, (read - MANY) / (VERY_MANY - MANY)));
        return 0.99 - 0.89 * large;
    }
}
