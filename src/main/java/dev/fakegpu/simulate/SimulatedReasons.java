package dev.fakegpu.simulate;

import dev.fakegpu.simulate.ClusterView.Waiting;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Asks the simulated schedulers why something waits; if they do not know, the newest Event says it. */
final class SimulatedReasons implements ViewReader.Reasons {

    private final SimulatedSchedulers schedulers;
    private final Map<String, Event> lastEvents = new HashMap<>();

    SimulatedReasons(SimulatedSchedulers schedulers, Collection<Event> events) {
        this.schedulers = schedulers;
        events.forEach(event -> lastEvents.put(event.getInvolvedObject().getUid(), event));
    }

    @Override
    public boolean include(Pod pod) {
        return schedulers.include(pod);
    }

    @Override
    public Optional<Waiting> of(HasMetadata object) {
        String uid = object.getMetadata().getUid();
        return schedulers
                .pending(uid)
                .map(pending -> new Waiting(pending.code(), pending.sentence()))
                .or(() -> Optional.ofNullable(lastEvents.get(uid))
                        .map(event -> new Waiting(event.getReason(), event.getMessage())));
    }
}
