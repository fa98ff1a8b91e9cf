package dev.fakegpu.hardware.catalog;

import org.jspecify.annotations.Nullable;

/**
 * The source of numbers in the catalog.
 *
 * @param source a publication or an upstream file
 * @param unverified whether sources conflict or are second-hand; then {@code notes} explains it
 * @param notes what readers should know before they rely on the numbers
 */
public record Provenance(
        String source, boolean unverified, @Nullable String notes) {

    public Provenance {
        Invalid.when(source == null || source.isBlank(), "provenance without a source");
        Invalid.when(unverified && notes == null, "\"%s\" is unverified, and no notes say why", source);
    }
}
