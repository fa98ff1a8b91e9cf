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
 * An option that users set: a system property or, if it is not set, the environment variable with the same name in capitals and with
 * underscores, such as {@code fakegpu.home} and {@code FAKEGPU_HOME}.
 */
enum Option {

    /** A directory with an operator: an unpacked archive of a release, or {@code target/quarkus-app} of a clone. */
    HOME("fakegpu.home"),

    /** The kubeconfig of an existing cluster, as for {@code hack/control-plane}. */
    KUBECONFIG("fakegpu.kubeconfig"),

    /** The name of the only source of Kubernetes to use. */
    SOURCE("fakegpu.testing.kubernetes"),

    /** The registry of Kubernetes' images. */
    REGISTRY("fakegpu.testing.registry"),

    ETCD_IMAGE("fakegpu.testing.image.etcd"),
    API_SERVER_IMAGE("fakegpu.testing.image.kube-apiserver"),
    CONTROLLER_MANAGER_IMAGE("fakegpu.testing.image.kube-controller-manager"),
    SCHEDULER_IMAGE("fakegpu.testing.image.kube-scheduler"),

    /** The image of the operator, which then runs in a container next to Kubernetes. */
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

    /** The value in this JVM; an empty value counts as not set. */
    Optional<String> value() {
        return value(System.getProperties(), System.getenv());
    }

    Optional<String> value(Properties properties, Map<String, String> environment) {
        return Optional.ofNullable(properties.getProperty(property))
                .or(() -> Optional.ofNullable(environment.get(variable())))
                .filter(value -> !value.isBlank());
    }

    /** Refuses misspelled options, which would have no effect. */
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
