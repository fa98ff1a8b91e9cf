package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.engine.allocate.refusal.Blocker;
import java.util.List;

/**
 * What there is on a node of each value of an attribute in which devices of a claim must agree. The values that would serve come first, those
 * of which the least is in the way before the others.
 *
 * @param more how many values are left out
 */
public record Alignment(String attribute, List<OfValue> values, int more) {

    public Alignment {
        values = List.copyOf(values);
    }

    /**
     * The devices of one value.
     *
     * @param serves whether the whole claim could have devices that agree on it if nothing were allocated and every taint tolerated
     * @param requests those to whose devices the constraint applies
     */
    public record OfValue(AttributeValue value, boolean serves, List<OfRequest> requests) {

        public OfValue {
            requests = List.copyOf(requests);
        }

        /** How many devices are in use, or refused for another reason that may pass, and would be needed. */
        public long missing() {
            return requests.stream().mapToLong(OfRequest::missing).sum();
        }

        /** Whether each request selects as many devices as it needs. */
        public boolean isPossible() {
            return requests.stream().allMatch(request -> request.selected() >= request.wanted());
        }

        /** Claims that hold what is missing. */
        List<ClaimRef> blockers() {
            return requests.stream()
                    .filter(request -> request.missing() > 0)
                    .flatMap(request -> request.refused().stream())
                    .flatMap(example -> example.refusal().blockers().list().stream())
                    .filter(Blocker::isOther)
                    .map(Blocker::claim)
                    .distinct()
                    .toList();
        }
    }

    /**
     * The devices that a request selects.
     *
     * @param selected how many there are
     * @param available how many of them the request can have
     * @param devices the first of these, at most as many as it needs
     * @param refused why it cannot have others, for the first of them
     */
    public record OfRequest(
            String name,
            long wanted,
            int selected,
            int available,
            List<DeviceId> devices,
            List<Finding.Example> refused) {

        public static final int MAX_DEVICES = 3;

        public OfRequest {
            devices = List.copyOf(devices);
            refused = List.copyOf(refused);
        }

        public long missing() {
            return Math.max(0, wanted - available);
        }
    }

    public List<OfValue> serving() {
        return values.stream().filter(OfValue::serves).toList();
    }
}
