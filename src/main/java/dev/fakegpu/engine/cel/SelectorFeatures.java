package dev.fakegpu.engine.cel;

/**
 * What selectors can use: {@code Features} of {@code dynamic-resource-allocation/cel}.
 *
 * @param areListsAllowed whether attributes can be lists, and there is {@code includes}: {@code DRAListTypeAttributes}
 * @param hasMultipleAllocations whether devices have {@code allowMultipleAllocations}: {@code DRAConsumableCapacity}
 */
public record SelectorFeatures(boolean areListsAllowed, boolean hasMultipleAllocations) {

    public static final SelectorFeatures ALL = new SelectorFeatures(true, true);

    AttributeKinds attributes() {
        return areListsAllowed ? AttributeKinds.LISTS_TOO : AttributeKinds.SINGLE_VALUES;
    }
}
