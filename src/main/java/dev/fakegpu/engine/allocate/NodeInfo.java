package dev.fakegpu.engine.allocate;

import java.util.Map;
import java.util.Set;

/** The properties of a node that allocation depends on. Equal nodes see the same devices. */
public final class NodeInfo {

    private final String name;
    private final Map<String, String> labels;
    private final Set<String> declaredFeatures;
    private final int hash;

    /** @param declaredFeatures {@code status.declaredFeatures}, the features that the node's kubelet supports */
    public NodeInfo(String name, Map<String, String> labels, Set<String> declaredFeatures) {
        this.name = name;
        this.labels = Map.copyOf(labels);
        this.declaredFeatures = Set.copyOf(declaredFeatures);
        // Every call looks up nodes, so the hash is computed once.
        hash = 31 * (31 * name.hashCode() + this.labels.hashCode()) + this.declaredFeatures.hashCode();
    }

    public NodeInfo(String name, Map<String, String> labels) {
        this(name, labels, Set.of());
    }

    public String name() {
        return name;
    }

    public Map<String, String> labels() {
        return labels;
    }

    public Set<String> declaredFeatures() {
        return declaredFeatures;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof NodeInfo that
                        && name.equals(that.name)
                        && labels.equals(that.labels)
                        && declaredFeatures.equals(that.declaredFeatures);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return name;
    }
}
