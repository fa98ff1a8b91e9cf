package dev.fakegpu.catalog;

/**
 * Where an instance sits: memory slices {@code start} to {@code start + size - 1} ({@code nvidia-smi mig -lgipp} prints
 * {@code {start}:size}).
 */
public record MigPlacement(int start, int size) {

    public boolean overlaps(MigPlacement other) {
        return start < other.start + other.size && other.start < start + size;
    }
}
