package dev.fakegpu.cli;

import dev.fakegpu.dra.mixin.MixinsGate;
import picocli.CommandLine.Option;

/** The option {@code --mixins}. */
final class MixinsOption {

    @Option(
            names = "--mixins",
            paramLabel = "GATE",
            defaultValue = "OFF",
            description =
                    "How schedulers treat the mixins of ResourceSlices in files, the gate ResourceSliceMixins of KEP-5234:"
                            + " on, off or unaware (default: off).")
    private MixinsGate gate = MixinsGate.OFF;

    MixinsGate gate() {
        return gate;
    }
}
