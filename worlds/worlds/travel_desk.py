"""Corporate travel desk

The travel desk of a company. Employees ask for trips, their line approves them, and the desk
holds and tickets flights, trains and hotels within the travel policy, uses vouchers, cancels
bookings and asks for exceptions. Amounts are in EUR; all times are UTC, written as
YYYY-MM-DD HH:MM, dates as YYYY-MM-DD.

Rules:
- A trip moves draft -> submitted -> approved -> booked; it can be rejected while submitted and cancelled until it is booked.
- Only an approver decides, never about the own trip, and only up to the own limit in EUR; an exception is an approval of its own.
- An offer is held only for an approved or booked trip, on the dates of the trip, and takes one seat or room.
- An offer outside the policy of the traveller's grade is held only with an approved exception of the same kind for the trip.
- A hold ends at 18:00 of the next working day (Monday to Friday); after that it cannot be ticketed.
- Tickets are issued between 07:00 and 19:00; a departure within 72 hours needs a senior agent.
- The tickets of a trip together stay within its budget; vouchers count as if the price was paid.
- A traveller who flies needs a passport that is valid for the whole trip.
- A voucher pays at one supplier for one employee, once, until its last day; what is left of it is lost.
- A cancelled hold costs nothing; a refundable ticket is refunded until 24 hours before departure; a flight that is not refundable earns a voucher of 70 % instead.
- Agents and senior agents work on trips; the desk manager also issues vouchers of up to 400.00.
"""

import copy
import re
from datetime import date, datetime, timedelta, timezone
from typing import Dict, List, Literal, Optional, TypedDict

_CABINS = ("economy", "premium", "business")
_VOUCHER_LIMIT = 400.0
_CREDIT_SHARE = 0.7
_CREDIT_DAYS = 365
_SENIOR_HOURS = 72
_TEXT_LIMIT = 2000
_DESK = ("agent", "senior_agent", "desk_manager")


class EmployeeInfo(TypedDict):
    employee_id: str
    name: str
    email: str
    phone: str
    grade: str
    manager_id: Optional[str]  # employee_id
    approval_limit: float  # EUR; 0 when no approver
    passport_until: str
    preferences: str  # free text


class AgentInfo(TypedDict):
    agent_id: str
    name: str
    role: str  # agent, senior_agent, desk_manager
    email: str


class PolicyInfo(TypedDict):
    grade: str
    cabin: str  # highest cabin: economy, premium, business
    rail_class: int  # best class: 1 or 2
    hotel_cap: float  # for a night
    remarks: str


class TripInfo(TypedDict):
    trip_id: str
    employee_id: str
    destination: str
    starts_on: str
    ends_on: str
    purpose: str  # free text
    budget: float
    status: str  # draft, submitted, approved, booked, rejected, cancelled


class ApprovalInfo(TypedDict):
    approval_id: str
    trip_id: str
    kind: str  # trip, flight, rail, hotel
    reason: str  # free text
    status: str  # pending, approved, rejected
    approver_id: Optional[str]
    note: str  # free text


class OfferInfo(TypedDict):
    offer_id: str
    kind: str  # flight, rail, hotel
    supplier: str
    origin: str  # empty for hotels
    city: str  # where it goes, or where the hotel is
    departs: str  # for a hotel the check-in
    arrives: str  # for a hotel the check-out
    comfort: str  # cabin, class (1, 2) or empty
    price: float  # whole price; of a hotel for all nights
    available: int
    refundable: bool
    terms: str  # free text of the supplier


class BookingInfo(TypedDict):
    booking_id: str
    trip_id: str
    offer_id: str
    status: str  # held, ticketed, cancelled
    price: float
    hold_until: str
    voucher_id: Optional[str]
    paid: float  # after the voucher
    refund: float
    remark: str  # free text


class VoucherInfo(TypedDict):
    voucher_id: str
    employee_id: str
    supplier: str
    value: float
    valid_until: str
    status: str  # open, used
    terms: str  # free text


class DeskNoteInfo(TypedDict):
    note_id: str
    author_id: str
    written_at: str
    text: str  # free text


class MessageInfo(TypedDict):
    message_id: str
    recipient: str
    subject: str
    body: str
    agent_id: str
    sent_at: str


def _ok(data) -> dict:
    return {"success": True, "data": copy.deepcopy(data)}


def _fail(error: str) -> dict:
    return {"success": False, "error": error}


def _is_date(text: str) -> bool:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_email(text: str) -> bool:
    return re.fullmatch(r"[^@\s]+@[^@\s]+\.[a-z]+", text) is not None


def _nights(offer: OfferInfo) -> int:
    return max((date.fromisoformat(offer["arrives"][:10]) - date.fromisoformat(offer["departs"][:10])).days, 1)


class TravelDesk:
    def __init__(self, config: dict):
        """Load the state; every top-level key of config becomes an attribute."""
        self.employees: Dict[str, EmployeeInfo] = config.get("employees", {})
        self.agents: Dict[str, AgentInfo] = config.get("agents", {})
        self.policies: Dict[str, PolicyInfo] = config.get("policies", {})
        self.trips: Dict[str, TripInfo] = config.get("trips", {})
        self.approvals: Dict[str, ApprovalInfo] = config.get("approvals", {})
        self.offers: Dict[str, OfferInfo] = config.get("offers", {})
        self.bookings: Dict[str, BookingInfo] = config.get("bookings", {})
        self.vouchers: Dict[str, VoucherInfo] = config.get("vouchers", {})
        self.desk_notes: Dict[str, DeskNoteInfo] = config.get("desk_notes", {})
        self.messages: Dict[str, MessageInfo] = config.get("messages", {})
        self.next_trip_no: int = config.get("next_trip_no", 1)
        self.next_approval_no: int = config.get("next_approval_no", 1)
        self.next_booking_no: int = config.get("next_booking_no", 1)
        self.next_voucher_no: int = config.get("next_voucher_no", 1)
        self.next_note_no: int = config.get("next_note_no", 1)
        self.next_message_no: int = config.get("next_message_no", 1)

    def _now(self) -> datetime:
        return datetime.now(timezone.utc).replace(tzinfo=None)

    def _stamp(self) -> str:
        return self._now().strftime("%Y-%m-%d %H:%M")

    def _denied(self, agent_id: str, *roles: str) -> Optional[str]:
        """Why the person may not act with one of the roles, or None."""
        person = self.agents.get(agent_id)
        if person is None:
            return f"Unknown agent id {agent_id}"
        if person["role"] not in roles:
            return f"A {person['role']} may not do this; needed: {', '.join(roles)}"
        return None

    def _hours_to(self, moment: str) -> float:
        return (datetime.strptime(moment, "%Y-%m-%d %H:%M") - self._now()).total_seconds() / 3600

    def _hold_end(self) -> str:
        day = self._now().date() + timedelta(days=1)
        while day.weekday() >= 5:
            day += timedelta(days=1)
        return day.isoformat() + " 18:00"

    def _breach(self, offer: OfferInfo, policy: PolicyInfo) -> Optional[str]:
        """Why the offer is outside the policy, or None."""
        if offer["kind"] == "flight" and _CABINS.index(offer["comfort"]) > _CABINS.index(policy["cabin"]):
            return f"cabin {offer['comfort']} is above {policy['cabin']}"
        if offer["kind"] == "rail" and int(offer["comfort"]) < policy["rail_class"]:
            return f"class {offer['comfort']} is above class {policy['rail_class']}"
        if offer["kind"] == "hotel" and offer["price"] / _nights(offer) > policy["hotel_cap"]:
            return f"{offer['price'] / _nights(offer):.2f} for a night is above {policy['hotel_cap']:.2f}"
        return None

    def _has_exception(self, trip_id: str, kind: str) -> bool:
        return any(a["trip_id"] == trip_id and a["kind"] == kind and a["status"] == "approved" for a in self.approvals.values())

    def _spent(self, trip_id: str) -> float:
        return round(sum(b["price"] for b in self.bookings.values() if b["trip_id"] == trip_id and b["status"] == "ticketed"), 2)

    def _add_voucher(self, employee_id: str, supplier: str, value: float, valid_until: str, terms: str) -> VoucherInfo:
        voucher_id = f"V-{self.next_voucher_no}"
        self.next_voucher_no += 1
        self.vouchers[voucher_id] = {
            "voucher_id": voucher_id, "employee_id": employee_id, "supplier": supplier, "value": round(float(value), 2),
            "valid_until": valid_until, "status": "open", "terms": terms,
        }
        return self.vouchers[voucher_id]

    def find_employee(self, query: str) -> dict:
        """Find employees by id, or by a part of the name or email.

        Args:
            query (str): Text to look for, upper and lower case are equal.
        Returns:
            dict: data is a list of employees with grade, manager, passport and preferences.
        Effect: read
        """
        text = query.strip().lower()
        if not text:
            return _fail("Give a name, an email or an id")
        found = [e for e in self.employees.values() if text == e["employee_id"].lower() or text in e["name"].lower() or text in e["email"].lower()]
        return _ok(found) if found else _fail(f"No employee matches {query!r}")

    def find_agents(self, role: Optional[Literal["agent", "senior_agent", "desk_manager"]] = None) -> dict:
        """List the people of the desk, and the current time.

        Args:
            role (str): Only people with this role; all when omitted.
        Returns:
            dict: data has now and agents.
        Effect: read
        """
        return _ok({"now": self._stamp(), "agents": [a for a in self.agents.values() if role in (None, a["role"])]})

    def get_policy(self, grade: str) -> dict:
        """Read the travel policy of a grade.

        Args:
            grade (str): Grade of the traveller.
        Returns:
            dict: data is the policy.
        Effect: read
        """
        policy = self.policies.get(grade)
        return _ok(policy) if policy else _fail(f"No policy for grade {grade}")

    def list_trips(self, status: Optional[Literal["draft", "submitted", "approved", "booked", "rejected", "cancelled"]] = None, employee_id: Optional[str] = None, starts_until: Optional[str] = None) -> dict:
        """List trips in short form, the earliest start first.

        Args:
            status (str): Only trips in this status; all when omitted.
            employee_id (str): Only trips of this traveller; all when omitted.
            starts_until (str): Only trips that start on this date or before.
        Returns:
            dict: data is a list of trips without purpose.
        Effect: read
        """
        rows = []
        for trip in sorted(self.trips.values(), key=lambda t: (t["starts_on"], t["trip_id"])):
            if status not in (None, trip["status"]) or employee_id not in (None, trip["employee_id"]):
                continue
            if starts_until is None or trip["starts_on"] <= starts_until:
                rows.append({key: value for key, value in trip.items() if key != "purpose"})
        return _ok(rows)

    def get_trip(self, trip_id: str) -> dict:
        """Read a trip with its purpose, approvals, bookings and the money already spent.

        Args:
            trip_id (str): Trip id.
        Returns:
            dict: data is the trip with approvals, bookings and spent.
        Effect: read
        """
        trip = self.trips.get(trip_id)
        if trip is None:
            return _fail(f"Unknown trip {trip_id}")
        approvals = [a for a in self.approvals.values() if a["trip_id"] == trip_id]
        bookings = [b for b in self.bookings.values() if b["trip_id"] == trip_id]
        return _ok(dict(trip, approvals=approvals, bookings=bookings, spent=self._spent(trip_id)))

    def list_approvals(self, status: Optional[Literal["pending", "approved", "rejected"]] = None, kind: Optional[Literal["trip", "flight", "rail", "hotel"]] = None) -> dict:
        """List approvals of trips (kind trip) and of exceptions to the policy (the other kinds).

        Args:
            status (str): Only approvals in this status; all when omitted.
            kind (str): Only approvals of this kind; all when omitted.
        Returns:
            dict: data is a list of approvals with reason and note.
        Effect: read
        """
        return _ok([a for a in self.approvals.values() if status in (None, a["status"]) and kind in (None, a["kind"])])

    def search_offers(self, kind: Literal["flight", "rail", "hotel"], city: str, day: str) -> dict:
        """Search offers with free seats or rooms, the cheapest first.

        Args:
            kind (str): flight, rail or hotel.
            city (str): City where it goes, or where the hotel is.
            day (str): Date of departure or check-in (YYYY-MM-DD).
        Returns:
            dict: data is a list of offers with the terms of the supplier.
        Effect: read
        """
        rows = [o for o in self.offers.values() if o["kind"] == kind and o["city"].lower() == city.strip().lower() and o["departs"][:10] == day and o["available"] > 0]
        return _ok(sorted(rows, key=lambda o: (o["price"], o["offer_id"])))

    def list_bookings(self, status: Optional[Literal["held", "ticketed", "cancelled"]] = None, hold_ends_until: Optional[str] = None) -> dict:
        """List bookings with their offers, the earliest end of the hold first.

        Args:
            status (str): Only bookings in this status; all when omitted.
            hold_ends_until (str): Only bookings whose hold ends at this time (YYYY-MM-DD HH:MM) or before.
        Returns:
            dict: data is a list of bookings, each with its offer.
        Effect: read
        """
        rows = []
        for booking in sorted(self.bookings.values(), key=lambda b: (b["hold_until"], b["booking_id"])):
            if status in (None, booking["status"]) and (hold_ends_until is None or booking["hold_until"] <= hold_ends_until):
                rows.append(dict(booking, offer=self.offers[booking["offer_id"]]))
        return _ok(rows)

    def list_vouchers(self, employee_id: str) -> dict:
        """List the vouchers of an employee with their terms.

        Args:
            employee_id (str): Employee id.
        Returns:
            dict: data is a list of vouchers.
        Effect: read
        """
        if employee_id not in self.employees:
            return _fail(f"Unknown employee {employee_id}")
        return _ok([v for v in self.vouchers.values() if v["employee_id"] == employee_id])

    def list_desk_notes(self) -> dict:
        """List the notes that the people of the desk leave each other, oldest first.

        Returns:
            dict: data is a list of notes.
        Effect: read
        """
        return _ok(sorted(self.desk_notes.values(), key=lambda n: (n["written_at"], n["note_id"])))

    def create_trip(self, employee_id: str, destination: str, starts_on: str, ends_on: str, purpose: str, budget: float, agent_id: str) -> dict:
        """Open a trip for an employee, in status draft.

        Args:
            employee_id (str): Traveller.
            destination (str): City.
            starts_on (str): First day (YYYY-MM-DD), not before today.
            ends_on (str): Last day (YYYY-MM-DD).
            purpose (str): Why, in the words of the traveller.
            budget (float): EUR for all tickets, more than zero.
            agent_id (str): Any role of the desk.
        Returns:
            dict: data is the trip.
        Effect: write
        """
        problem = self._denied(agent_id, *_DESK)
        if problem or employee_id not in self.employees:
            return _fail(problem or f"Unknown employee {employee_id}")
        if not _is_date(starts_on) or not _is_date(ends_on) or ends_on < starts_on or starts_on < self._stamp()[:10]:
            return _fail("The dates are YYYY-MM-DD, in order and not before today")
        if budget <= 0 or not destination.strip():
            return _fail("The destination or the budget is missing")
        trip_id = f"TR-{self.next_trip_no}"
        self.next_trip_no += 1
        self.trips[trip_id] = {
            "trip_id": trip_id, "employee_id": employee_id, "destination": destination, "starts_on": starts_on, "ends_on": ends_on,
            "purpose": purpose, "budget": round(float(budget), 2), "status": "draft",
        }
        return _ok(self.trips[trip_id])

    def update_trip(self, trip_id: str, agent_id: str, starts_on: Optional[str] = None, ends_on: Optional[str] = None, purpose: Optional[str] = None, budget: Optional[float] = None) -> dict:
        """Change a trip; omitted values stay. Dates and budget change only while it is a draft.

        Args:
            trip_id (str): Trip that is not rejected or cancelled.
            agent_id (str): Any role of the desk.
            starts_on (str): New first day (YYYY-MM-DD).
            ends_on (str): New last day (YYYY-MM-DD).
            purpose (str): Text that replaces the purpose.
            budget (float): New budget in EUR, more than zero.
        Returns:
            dict: data is the trip.
        Effect: write
        """
        trip = self.trips.get(trip_id)
        problem = self._denied(agent_id, *_DESK)
        if problem or trip is None or trip["status"] in ("rejected", "cancelled"):
            return _fail(problem or "The trip is unknown or closed")
        first = trip["starts_on"] if starts_on is None else starts_on
        last = trip["ends_on"] if ends_on is None else ends_on
        amount = trip["budget"] if budget is None else round(float(budget), 2)
        if (first, last, amount) != (trip["starts_on"], trip["ends_on"], trip["budget"]) and trip["status"] != "draft":
            return _fail("Dates and budget change only while the trip is a draft")
        if not _is_date(first) or not _is_date(last) or last < first or amount <= 0:
            return _fail("The dates are YYYY-MM-DD and in order, the budget is more than zero")
        trip["starts_on"], trip["ends_on"], trip["budget"] = first, last, amount
        if purpose is not None:
            trip["purpose"] = purpose
        return _ok(trip)

    def cancel_trip(self, trip_id: str, reason: str, agent_id: str) -> dict:
        """Cancel a trip that has no held or ticketed booking; the reason is added to the purpose.

        Args:
            trip_id (str): Trip in status draft, submitted or approved.
            reason (str): Why.
            agent_id (str): Any role of the desk.
        Returns:
            dict: data is the trip.
        Effect: write
        """
        trip = self.trips.get(trip_id)
        problem = self._denied(agent_id, *_DESK)
        if problem or trip is None or trip["status"] not in ("draft", "submitted", "approved"):
            return _fail(problem or "The trip is unknown, booked or closed")
        if any(b["trip_id"] == trip_id and b["status"] != "cancelled" for b in self.bookings.values()):
            return _fail("Cancel the bookings of the trip first")
        trip["status"] = "cancelled"
        trip["purpose"] = f"{trip['purpose']} [cancelled: {reason}]"
        return _ok(trip)

    def request_approval(self, trip_id: str, kind: Literal["trip", "flight", "rail", "hotel"], reason: str, agent_id: str) -> dict:
        """Ask for the approval of a draft trip, or for an exception to the policy.

        Args:
            trip_id (str): A draft trip for kind trip, an approved or booked one otherwise.
            kind (str): trip, or the kind of the offer that is outside the policy.
            reason (str): Why it is needed.
            agent_id (str): Any role of the desk.
        Returns:
            dict: data is the approval, pending.
        Effect: write
        """
        trip = self.trips.get(trip_id)
        problem = self._denied(agent_id, *_DESK)
        if problem or trip is None or kind not in ("trip", "flight", "rail", "hotel") or not reason.strip():
            return _fail(problem or "The trip or the kind is unknown, or the reason is missing")
        if trip["status"] not in (("draft",) if kind == "trip" else ("approved", "booked")):
            return _fail(f"A trip in status {trip['status']} cannot get an approval of kind {kind}")
        if any(a["trip_id"] == trip_id and a["kind"] == kind and a["status"] == "pending" for a in self.approvals.values()):
            return _fail("An approval of this kind is already pending")
        approval_id = f"AP-{self.next_approval_no}"
        self.next_approval_no += 1
        self.approvals[approval_id] = {
            "approval_id": approval_id, "trip_id": trip_id, "kind": kind, "reason": reason, "status": "pending",
            "approver_id": None, "note": "",
        }
        if kind == "trip":
            trip["status"] = "submitted"
        return _ok(self.approvals[approval_id])

    def decide_approval(self, approval_id: str, decision: Literal["approved", "rejected"], note: str, approver_id: str, agent_id: str) -> dict:
        """Enter the decision of an approver.

        Args:
            approval_id (str): Approval that is pending.
            decision (str): approved or rejected.
            note (str): Words of the approver.
            approver_id (str): Employee whose limit covers the budget of the trip, not the traveller.
            agent_id (str): Any role of the desk.
        Returns:
            dict: data is the approval.
        Effect: write
        """
        approval, approver = self.approvals.get(approval_id), self.employees.get(approver_id)
        problem = self._denied(agent_id, *_DESK)
        if problem or approval is None or approval["status"] != "pending" or decision not in ("approved", "rejected"):
            return _fail(problem or "The approval is unknown or decided, or the decision is unknown")
        trip = self.trips[approval["trip_id"]]
        if approver is None or approver_id == trip["employee_id"] or approver["approval_limit"] < trip["budget"]:
            return _fail(f"{approver_id} may not decide about a trip of {trip['budget']:.2f}")
        approval["status"] = decision
        approval["approver_id"] = approver_id
        approval["note"] = note
        if approval["kind"] == "trip":
            trip["status"] = decision
        return _ok(approval)

    def hold_booking(self, trip_id: str, offer_id: str, remark: str, agent_id: str) -> dict:
        """Hold an offer for a trip until 18:00 of the next working day.

        Args:
            trip_id (str): Trip in status approved or booked.
            offer_id (str): Offer with a free seat or room, within the dates of the trip.
            remark (str): Remark for the booking, may be empty.
            agent_id (str): Any role of the desk.
        Returns:
            dict: data is the booking.
        Effect: write
        """
        trip, offer = self.trips.get(trip_id), self.offers.get(offer_id)
        problem = self._denied(agent_id, *_DESK)
        if problem or trip is None or offer is None or trip["status"] not in ("approved", "booked"):
            return _fail(problem or "The trip or the offer is unknown, or the trip is not approved")
        if offer["available"] < 1 or self._hours_to(offer["departs"]) <= 0:
            return _fail("The offer is sold out or in the past")
        if offer["departs"][:10] < trip["starts_on"] or offer["arrives"][:10] > trip["ends_on"]:
            return _fail(f"The offer is outside {trip['starts_on']} to {trip['ends_on']}")
        traveller = self.employees[trip["employee_id"]]
        if offer["kind"] == "flight" and traveller["passport_until"] < trip["ends_on"]:
            return _fail(f"The passport of {traveller['name']} ends on {traveller['passport_until']}")
        breach = self._breach(offer, self.policies[traveller["grade"]])
        if breach and not self._has_exception(trip_id, offer["kind"]):
            return _fail(f"Outside the policy of grade {traveller['grade']}: {breach}")
        booking_id = f"BK-{self.next_booking_no}"
        self.next_booking_no += 1
        offer["available"] -= 1
        self.bookings[booking_id] = {
            "booking_id": booking_id, "trip_id": trip_id, "offer_id": offer_id, "status": "held", "price": offer["price"],
            "hold_until": self._hold_end(), "voucher_id": None, "paid": 0.0, "refund": 0.0, "remark": remark,
        }
        return _ok(self.bookings[booking_id])

    def ticket_booking(self, booking_id: str, agent_id: str, voucher_id: Optional[str] = None) -> dict:
        """Buy what is held; the trip becomes booked.

        Args:
            booking_id (str): Booking in status held whose hold has not ended.
            agent_id (str): Agent or senior agent; only a senior agent within 72 hours of departure.
            voucher_id (str): Open voucher of the traveller at the supplier; none when omitted.
        Returns:
            dict: data is the booking, paid is what the voucher did not cover.
        Effect: external
        """
        booking = self.bookings.get(booking_id)
        problem = self._denied(agent_id, "agent", "senior_agent")
        if problem or booking is None or booking["status"] != "held":
            return _fail(problem or "The booking is unknown or not held")
        trip, offer, now = self.trips[booking["trip_id"]], self.offers[booking["offer_id"]], self._stamp()
        if now > booking["hold_until"]:
            return _fail(f"The hold ended at {booking['hold_until']}")
        if not "07:00" <= now[11:] < "19:00":
            return _fail("Tickets are issued between 07:00 and 19:00")
        if self._hours_to(offer["departs"]) < _SENIOR_HOURS and self.agents[agent_id]["role"] != "senior_agent":
            return _fail("A departure within 72 hours needs a senior agent")
        if self._spent(booking["trip_id"]) + booking["price"] > trip["budget"]:
            return _fail(f"Over the budget of {trip['budget']:.2f}: {self._spent(booking['trip_id']):.2f} is spent")
        value = 0.0
        if voucher_id is not None:
            voucher = self.vouchers.get(voucher_id)
            if voucher is None or voucher["status"] != "open" or voucher["valid_until"] < now[:10]:
                return _fail("The voucher is unknown, used or expired")
            if voucher["employee_id"] != trip["employee_id"] or voucher["supplier"] != offer["supplier"]:
                return _fail("The voucher is for another employee or another supplier")
            voucher["status"] = "used"
            value = voucher["value"]
        booking["status"] = "ticketed"
        booking["voucher_id"] = voucher_id
        booking["paid"] = round(max(booking["price"] - value, 0.0), 2)
        trip["status"] = "booked"
        return _ok(booking)

    def cancel_booking(self, booking_id: str, reason: str, agent_id: str) -> dict:
        """Cancel a hold or a ticket before departure; the reason replaces the remark.

        Args:
            booking_id (str): Booking in status held or ticketed.
            reason (str): Why.
            agent_id (str): Agent or senior agent.
        Returns:
            dict: data has booking and voucher (null unless a flight that is not refundable earns one).
        Effect: external
        """
        booking = self.bookings.get(booking_id)
        problem = self._denied(agent_id, "agent", "senior_agent")
        if problem or booking is None or booking["status"] == "cancelled":
            return _fail(problem or "The booking is unknown or already cancelled")
        trip, offer = self.trips[booking["trip_id"]], self.offers[booking["offer_id"]]
        hours, voucher = self._hours_to(offer["departs"]), None
        if hours <= 0:
            return _fail("The departure is in the past")
        if booking["status"] == "ticketed":
            if offer["refundable"] and hours >= 24:
                booking["refund"] = booking["paid"]
            elif offer["kind"] == "flight" and not offer["refundable"] and booking["paid"] > 0:
                until = (self._now().date() + timedelta(days=_CREDIT_DAYS)).isoformat()
                voucher = self._add_voucher(trip["employee_id"], offer["supplier"], booking["paid"] * _CREDIT_SHARE, until, f"Credit for {booking_id}")
        booking["status"] = "cancelled"
        booking["remark"] = reason
        offer["available"] += 1
        if trip["status"] == "booked" and not any(b["trip_id"] == trip["trip_id"] and b["status"] == "ticketed" for b in self.bookings.values()):
            trip["status"] = "approved"
        return _ok({"booking": booking, "voucher": voucher})

    def issue_voucher(self, employee_id: str, supplier: str, value: float, valid_until: str, terms: str, agent_id: str) -> dict:
        """Issue a voucher that the desk pays.

        Args:
            employee_id (str): Who can use it.
            supplier (str): Supplier of at least one offer.
            value (float): EUR, up to 400.00.
            valid_until (str): Last day (YYYY-MM-DD), not before today.
            terms (str): Text for the traveller.
            agent_id (str): Desk manager.
        Returns:
            dict: data is the voucher.
        Effect: write
        """
        problem = self._denied(agent_id, "desk_manager")
        if problem or employee_id not in self.employees:
            return _fail(problem or f"Unknown employee {employee_id}")
        if not any(o["supplier"] == supplier for o in self.offers.values()):
            return _fail(f"Unknown supplier {supplier}")
        if value <= 0 or value > _VOUCHER_LIMIT or not _is_date(valid_until) or valid_until < self._stamp()[:10]:
            return _fail("The value is up to 400.00 and the last day not before today")
        return _ok(self._add_voucher(employee_id, supplier, value, valid_until, terms))

    def update_employee(self, employee_id: str, agent_id: str, email: Optional[str] = None, phone: Optional[str] = None, passport_until: Optional[str] = None, preferences: Optional[str] = None) -> dict:
        """Change contact data, passport date or preferences of an employee; omitted fields stay.

        Args:
            employee_id (str): Employee id.
            agent_id (str): Any role of the desk.
            email (str): New email address.
            phone (str): New phone number.
            passport_until (str): New last day of the passport (YYYY-MM-DD).
            preferences (str): Text that replaces the preferences.
        Returns:
            dict: data is the employee.
        Effect: write
        """
        person = self.employees.get(employee_id)
        problem = self._denied(agent_id, *_DESK)
        if problem or person is None:
            return _fail(problem or f"Unknown employee {employee_id}")
        if email is not None and not _is_email(email) or passport_until is not None and not _is_date(passport_until):
            return _fail("The email address or the date is not valid")
        for key, value in (("email", email), ("phone", phone), ("passport_until", passport_until), ("preferences", preferences)):
            if value is not None:
                person[key] = value
        return _ok(person)

    def add_desk_note(self, text: str, agent_id: str) -> dict:
        """Leave a note for the people of the desk.

        Args:
            text (str): Text of the note.
            agent_id (str): Author, any role.
        Returns:
            dict: data is the note.
        Effect: write
        """
        problem = self._denied(agent_id, *_DESK)
        if problem or not text.strip() or len(text) > _TEXT_LIMIT:
            return _fail(problem or "The note must have 1 to 2000 characters")
        note_id = f"N-{self.next_note_no}"
        self.next_note_no += 1
        self.desk_notes[note_id] = {"note_id": note_id, "author_id": agent_id, "written_at": self._stamp(), "text": text}
        return _ok(self.desk_notes[note_id])

    def send_message(self, recipient: str, subject: str, body: str, agent_id: str) -> dict:
        """Send an email.

        Args:
            recipient (str): Email address.
            subject (str): Subject line.
            body (str): Text of the email.
            agent_id (str): Sender, any role.
        Returns:
            dict: data is the message.
        Effect: external
        """
        problem = self._denied(agent_id, *_DESK)
        if problem or not _is_email(recipient):
            return _fail(problem or "The recipient must be an email address")
        if not body.strip() or len(body) > _TEXT_LIMIT:
            return _fail("The body must have 1 to 2000 characters")
        message_id = f"MS-{self.next_message_no}"
        self.next_message_no += 1
        self.messages[message_id] = {
            "message_id": message_id, "recipient": recipient, "subject": subject, "body": body, "agent_id": agent_id, "sent_at": self._stamp(),
        }
        return _ok(self.messages[message_id])
