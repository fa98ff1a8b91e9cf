package dev.fakegpu.util;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Fair shares of a limited number of places: whoever comes while all are taken gets one of those who have most. */
public final class FairPlaces {

    private FairPlaces() {}

    /**
     * Who has to give up a place for a newcomer; empty if nobody has at least two more than the newcomer, who then has as much as others.
     * With a difference of one, two who ask in turn would take the same place from each other again and again.
     *
     * @param owners of the places that are taken, one for each
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
