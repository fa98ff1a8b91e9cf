package dev.fakegpu.cli;

import picocli.CommandLine.Option;

/** The option {@code -A}, which overrides {@code -n} as it does for {@code kubectl}. */
final class AllNamespacesOption {

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "In all namespaces.")
    private boolean given;

    boolean isGiven() {
        return given;
    }
}
