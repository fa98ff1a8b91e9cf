package dev.fakegpu.junit.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What whoever runs the tests can set: a system property or, if there is none, the environment variable of the same name in capitals with
 * underscores, such as {@code fakegpu.home} and {@code FAKEGPU_HOME}.
 */
enum Option {

    /** A directory with an operator: an unpacked archive of a release, or {@code target/quarkus-app} of a clone. */
    HOME("fakegpu.home"),

    /** As for {@code hack/control-plane}: the kubeconfig of a cluster that somebody else runs. */
    KUBECONFIG("fakegpu.kubeconfig"),

    /** The only source that Kubernetes may come from, by its name. */
    SOURCE("fakegpu.testing.kubernetes"),

    /** Where Kubernetes' images are. */
    REGISTRY("fakegpu.testing.registry"),

    ETCD_IMAGE("fakegpu.testing.image.etcd"),
    API_SERVER_IMAGE("fakegpu.testing.image.kube-apiserver"),
    CONTROLLER_MANAGER_IMAGE("fakegpu.testing.image.kube-controller-manager"),
    SCHEDULER_IMAGE("fakegpu.testing.image.kube-scheduler"),

    /** Of the operator, which then runs in a container beside Kubernetes. */
    OPERATOR_IMAGE("fakegpu.testing.image.operator");

    private static final String PREFIX = "fakegpu.testing.";

    private final String property;

    Option(String property) {
        this.property = property;
    }

    String property() {
        return property;
    }

    String variable() {
        return property.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
    }

    /** What is set for this JVM; empty counts as not set. */
    Optional<String> value() {
        return value(System.getProperties(), System.getenv());
    }

    Optional<String> value(Properties properties, Map<String, String> environment) {
        return Optional.ofNullable(properties.getProperty(property))
                .or(() -> Optional.ofNullable(environment.get(variable())))
                .filter(value -> !value.isBlank());
    }

    /** A misspelt one would have no effect. */
    static void refuseUnknown() {
        refuseUnknown(
                System.getProperties().stringPropertyNames(), System.getenv().keySet());
    }

    static void refuseUnknown(Set<String> properties, Set<String> variables) {
        refuseUnknown(properties, PREFIX, Option::property);
        refuseUnknown(variables, PREFIX.replace('.', '_').toUpperCase(Locale.ROOT), Option::variable);
    }

    private static void refuseUnknown(Set<String> names, String prefix, Function<Option, String> name) {
        List<String> known = Stream.of(values())
                .map(name)
                .filter(each -> each.startsWith(prefix))
                .toList();
        names.stream()
                .filter(each -> each.startsWith(prefix) && !known.contains(each))
                .min(Comparator.naturalOrder())
                .ifPresent(unknown -> {
                    throw new ClusterException(
                            "%s: no such setting; allowed: %s".formatted(unknown, String.join(", ", known)));
                });
    }
}
