package dev.fakegpu.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** Reads the version that the build writes into the manifest of the jar. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        var version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"fakegpu " + Objects.requireNonNullElse(version, "(development)")};
    }
}
