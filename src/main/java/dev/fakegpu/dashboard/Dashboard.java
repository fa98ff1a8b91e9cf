package dev.fakegpu.dashboard;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * A cluster's devices, who holds them and who waits, as the page shows it. As JSON its fields keep their meaning, and others may be added;
 * empty lists and texts are left out.
 *
 * @param nodes by name, {@code node-2} before {@code node-10}; devices that no node or several nodes can access are under a name in
 *     parentheses
 * @param waiting the one that waits longest first
 */
@JsonPropertyOrder({"overview", "nodes", "waiting"})
public record Dashboard(Overview overview, List<NodeView> nodes, List<WaitingView> waiting) {

    public Dashboard {
        nodes = List.copyOf(nodes);
        waiting = List.copyOf(waiting);
    }

    /**
     * What is true of the whole cluster.
     *
     * @param enforcement who enforces compatibility groups, one sentence for each allocator and one for the API server
     * @param problems FakeGpus that are refused or not published, and hardware that nodes offer twice
     * @param notes what could not be read, and what follows from that
     */
    @JsonPropertyOrder({"cluster", "enforcement", "problems", "notes"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Overview(String cluster, List<Enforcer> enforcement, List<String> problems, List<String> notes) {
        public Overview {
            enforcement = List.copyOf(enforcement);
            problems = List.copyOf(problems);
            notes = List.copyOf(notes);
        }
    }

    /**
     * Who cares for compatibility groups.
     *
     * @param summary in a few words, such as {@code the companion enforces groups}
     * @param detail how that is known
     */
    @JsonPropertyOrder({"summary", "detail"})
    public record Enforcer(String summary, String detail) {}

    /**
     * A node.
     *
     * @param state {@code Ready}, {@code NotReady}, or empty if it is not a node of the cluster
     * @param simulated whether it has no kubelet
     */
    @JsonPropertyOrder({"name", "state", "simulated", "gpus"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record NodeView(String name, String state, boolean simulated, List<GpuView> gpus) {
        public NodeView {
            gpus = List.copyOf(gpus);
        }
    }

    /**
     * A pod, or a claim that no pod uses, which waits for devices.
     *
     * @param id {@code kind/namespace/name}
     * @param since when it was created, as in the API
     * @param code the reason, for programs
     * @param sentence the reason, for people
     * @param queue who is before it
     * @param facts what else is known
     * @param inTheWay the claims that hold what it needs
     * @param refused devices that it cannot have, and why
     * @param unfit nodes that do not fit, whatever devices are free
     * @param waysOut what would help, each tried out
     * @param assumed what was assumed about its scheduler
     * @param classes the device classes that it asks for, as far as its claims are there
     * @param claims of a pod: the ids of its claims
     * @param podGroup of a pod: the name of its PodGroup, or empty
     */
    @JsonPropertyOrder({
        "id",
        "kind",
        "namespace",
        "name",
        "since",
        "code",
        "sentence",
        "queue",
        "facts",
        "inTheWay",
        "refused",
        "unfit",
        "waysOut",
        "assumed",
        "classes",
        "claims",
        "podGroup"
    })
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record WaitingView(
            String id,
            String kind,
            String namespace,
            String name,
            String since,
            String code,
            String sentence,
            String queue,
            List<String> facts,
            List<Holder> inTheWay,
            List<Refused> refused,
            List<Unfit> unfit,
            List<WayOut> waysOut,
            String assumed,
            List<String> classes,
            List<String> claims,
            String podGroup) {
        public WaitingView {
            facts = List.copyOf(facts);
            inTheWay = List.copyOf(inTheWay);
            refused = List.copyOf(refused);
            unfit = List.copyOf(unfit);
            waysOut = List.copyOf(waysOut);
            classes = List.copyOf(classes);
            claims = List.copyOf(claims);
        }
    }

    /** A claim, as {@code namespace/name}, that is in the way on a node. */
    @JsonPropertyOrder({"claim", "node"})
    public record Holder(String claim, String node) {}

    /** @param devices how many are refused for the same reason */
    @JsonPropertyOrder({"node", "pool", "device", "devices", "code", "text"})
    public record Refused(String node, String pool, String device, int devices, String code, String text) {}

    /** @param nodes how many there are */
    @JsonPropertyOrder({"reason", "nodes", "examples"})
    public record Unfit(String reason, int nodes, List<String> examples) {
        public Unfit {
            examples = List.copyOf(examples);
        }
    }

    /**
     * What would help, which can be tried if it is one of these two.
     *
     * @param releases the claims that would be released; empty if it is another change
     * @param tolerates the taint that would be tolerated, as {@code key=value:effect}; empty if it is another change
     */
    @JsonPropertyOrder({"nodes", "text", "releases", "tolerates"})
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record WayOut(List<String> nodes, String text, List<String> releases, String tolerates) {
        public WayOut {
            nodes = List.copyOf(nodes);
            releases = List.copyOf(releases);
        }
    }
}
