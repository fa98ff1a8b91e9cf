package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.engine.allocate.refusal.Blocker;
import java.util.List;

/**
 * The devices on a node for each value of an attribute in which devices of a claim must agree. Values that would serve come first; among
 * these, values with the fewest missing devices come first.
 *
 * @param more the number of values that are omitted
 */
public record Alignment(String attribute, List<OfValue> values, int more) {

    public Alignment {
        values = List.copyOf(values);
    }

    /**
     * The devices with one value.
     *
     * @param serves whether the whole claim could get devices with this value if nothing were allocated and every taint were tolerated
     * @param requests the requests to whose devices the constraint applies
     */
    public record OfValue(AttributeValue value, boolean serves, List<OfRequest> requests) {

        public OfValue {
            requests = List.copyOf(requests);
        }

        /** The number of needed devices that are in use, or refused for another temporary reason. */
        public long missing() {
            return requests.stream().mapToLong(OfRequest::missing).sum();
        }

        /** Whether each request selects as many devices as it needs. */
        public boolean isPossible() {
            return requests.stream().allMatch(request -> request.selected() >= request.wanted());
        }

        /** The claims that hold the missing devices. */
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
     * @param selected the number of these devices
     * @param available the number of devices that the request can get
     * @param devices the first devices that it can get, at most as many as it needs
     * @param refused the refusals of the first other devices
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
