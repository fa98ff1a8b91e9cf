package dev.fakegpu.util;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Shares a limited number of places fairly: when all are taken, a newcomer gets a place from the owner that has the most. */
public final class FairPlaces {

    private FairPlaces() {}

    /**
     * The owner that has to give up a place for the newcomer; empty if no owner has at least two places more than the newcomer, which then
     * has its share. If a difference of one sufficed, two owners that ask in turn would take the same place from each other forever.
     *
     * @param owners the owners of the places that are taken, one element per place
     */
    public static Optional<String> whoGivesUp(Collection<String> owners, String newcomer) {
        Map<String, Long> places =
                owners.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        long own = places.getOrDefault(newcomer, 0L);
        return places.entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .filter(most -> most.getValue() > own + 1)
                .map(Map.Entry::getKey);
    }
}
